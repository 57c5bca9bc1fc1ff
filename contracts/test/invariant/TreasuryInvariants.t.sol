// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryHandler} from "./handlers/TreasuryHandler.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";
import {Treasury} from "src/Treasury.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// @notice Invariants under any sequence of calls.
contract TreasuryInvariantsTest is Test {
    Treasury private treasury;
    TreasuryHandler private handler;

    function setUp() public {
        bytes memory initialization = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", address(this)));
        treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), initialization)));
        handler = new TreasuryHandler(treasury);
        treasury.grantRole(treasury.OPERATOR_ROLE(), address(handler));
        treasury.grantRole(treasury.MINTER_ROLE(), address(handler));
        treasury.grantRole(treasury.PAUSER_ROLE(), address(handler));
        treasury.grantRole(treasury.WHITELISTER_ROLE(), address(handler));
        treasury.grantRole(treasury.BLACKLISTER_ROLE(), address(handler));
        handler.start();

        bytes4[] memory selectors = new bytes4[](12);
        selectors[0] = TreasuryHandler.mint.selector;
        selectors[1] = TreasuryHandler.bridgeMint.selector;
        selectors[2] = TreasuryHandler.burn.selector;
        selectors[3] = TreasuryHandler.burnFrom.selector;
        selectors[4] = TreasuryHandler.transfer.selector;
        selectors[5] = TreasuryHandler.transferFrom.selector;
        selectors[6] = TreasuryHandler.approve.selector;
        selectors[7] = TreasuryHandler.permit.selector;
        selectors[8] = TreasuryHandler.forceBurn.selector;
        selectors[9] = TreasuryHandler.forceTransfer.selector;
        selectors[10] = TreasuryHandler.togglePause.selector;
        selectors[11] = TreasuryHandler.toggleBlacklist.selector;
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
        targetContract(address(handler));
    }

    /// @dev One function, because forge runs all sequences again for each invariant function.
    function invariant_T1_T2_T3_T4_T5_T6_T9_TokenHolds() public view {
        _t1BalancesSumToTheSupply();
        _t2SupplyIsMintsLessBurnsByCallsAndByLogs();
        _t3EachBalanceIsItsTransferLogs();
        _t4BridgeEventsPairWithTheirTransfers();
        _t5PausedOnlyForceMoves();
        _t6BlacklistedMovesOnlyByForce();
        _t9AllowancesFallByExactlyWhatWasSpent();
    }

    function _t1BalancesSumToTheSupply() private view {
        uint256 sum;
        for (uint256 i; i < handler.actorCount(); ++i) {
            sum += treasury.balanceOf(handler.actors(i));
        }
        assertEq(sum, treasury.totalSupply());
    }

    function _t2SupplyIsMintsLessBurnsByCallsAndByLogs() private view {
        uint256 minted = handler.mintedByCalls() + handler.bridgeMintedByCalls();
        uint256 burned = handler.burnedByCalls() + handler.forceBurnedByCalls();
        assertEq(treasury.totalSupply(), minted - burned, "calls");
        assertEq(treasury.totalSupply(), handler.mintedByLogs() - handler.burnedByLogs(), "logs");
    }

    function _t3EachBalanceIsItsTransferLogs() private view {
        for (uint256 i; i < handler.actorCount(); ++i) {
            assertEq(treasury.balanceOf(handler.actors(i)), handler.balanceByLogs(handler.actors(i)));
        }
    }

    function _t4BridgeEventsPairWithTheirTransfers() private view {
        assertEq(handler.violations(TreasuryHandler.Property.BridgeEvents), 0);
    }

    function _t5PausedOnlyForceMoves() private view {
        assertEq(handler.violations(TreasuryHandler.Property.PausedMovesNothing), 0);
    }

    function _t6BlacklistedMovesOnlyByForce() private view {
        assertEq(handler.violations(TreasuryHandler.Property.BlacklistedMovesNothing), 0);
    }

    function _t9AllowancesFallByExactlyWhatWasSpent() private view {
        for (uint256 i; i < handler.actorCount(); ++i) {
            for (uint256 j; j < handler.actorCount(); ++j) {
                (address owner, address spender) = (handler.actors(i), handler.actors(j));
                assertEq(treasury.allowance(owner, spender), handler.expectedAllowances(owner, spender));
            }
        }
    }

    /// @dev One call of each kind succeeds through the handler, so that the invariants are not vacuous.
    function test_Handler_ReachesEveryCall() public {
        handler.mint(0, 1001);
        handler.bridgeMint(1, 1001);
        handler.approve(0, 5, 0, true);
        handler.permit(0, 2, 100);
        handler.transfer(0, 1, 10);
        handler.transferFrom(0, 3, 2, 10);
        handler.burn(0, 10);
        handler.burnFrom(0, 5, 10);
        handler.togglePause(0);
        handler.transfer(0, 1, 10);
        handler.forceBurn(0, 10);
        handler.forceTransfer(0, 6, 10);
        handler.togglePause(0);
        handler.toggleBlacklist(6);

        bytes4[10] memory selectors = [
            ITreasury.mint.selector,
            ITreasury.bridgeMint.selector,
            IERC20.approve.selector,
            treasury.permit.selector,
            IERC20.transfer.selector,
            IERC20.transferFrom.selector,
            ITreasury.burn.selector,
            ITreasury.burnFrom.selector,
            ITreasury.forceBurn.selector,
            ITreasury.forceTransfer.selector
        ];
        for (uint256 i; i < selectors.length; ++i) {
            assertEq(handler.successes(selectors[i]), 1);
        }
        assertEq(treasury.balanceOf(handler.actors(6)), 10, "force reaches a blacklisted account");
    }
}
