// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "../../helpers/DelegateTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// One account holds every role of every contract and is issuer admin everywhere. It uses every call against a user who
/// approved everything to every contract. Powers that are documented to take tokens are left out: an upgrade, which can
/// do anything, and the token's forced burn and transfer, which need no approval and are only tested against the
/// approvals.
contract HostileAdminScenariosTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000e18;

    address private hostile = makeAddr("hostile admin");
    address private victim;
    address[] private spenders;
    address[] private delegates;

    function setUp() public override {
        super.setUp();
        victim = alice;
        delegates = [address(delegate), address(usdc.delegate), address(usdx.delegate)];
        spenders = [delegates[0], delegates[1], delegates[2], address(core), address(treasury)];
        _deposit(victim, AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
        _accrueAll(victim);
        _approveEverything();
        _seizeEverything();
    }

    function test_D26_NoFunctionOfCoreSwap_SpendsAUsersApprovals() public {
        _assertVictimLosesNothing(address(core), _callsOfCoreSwap());
    }

    /// A custody with auto-liquidity gave CoreSwap an allowance of its stablecoin. Only CoreSwap itself can sweep it.
    function test_D26_S21_NoCallSweepsACustody() public {
        _admit(usdc.custody);
        vm.prank(usdc.custody);
        core.adjustSwapInputAllowance(address(core), usdc.id, ALL, true);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setAutoLiquidityStablecoinID(trsy);
        uint256 before = usdc.token.balanceOf(usdc.custody);
        vm.prank(hostile);
        (bool success,) = address(core).call(abi.encodeCall(core.sweep, (usdc.id, 1_000e6)));
        assertFalse(success);
        assertEq(usdc.token.balanceOf(usdc.custody), before);
    }

    function test_D26_NoFunctionOfADelegate_SpendsAUsersApprovals() public {
        for (uint256 i = 0; i < delegates.length; ++i) {
            _assertVictimLosesNothing(delegates[i], _callsOfADelegate());
        }
        _assertVictimLosesNothing(address(delegate), _callsOfTheTreasuryDelegate());
    }

    function test_D26_NoFunctionOfTheTreasuryToken_SpendsAUsersApprovals() public {
        _assertVictimLosesNothing(address(treasury), _callsOfTheToken());
    }

    function test_T11_D26_ForcedCalls_TakeTokensButNoApprovals() public {
        uint256 balance = treasury.balanceOf(victim);
        bytes32 before = _allowances();
        vm.startPrank(hostile);
        treasury.forceTransfer(victim, hostile, 1);
        treasury.forceBurn(victim, 1);
        vm.stopPrank();
        assertEq(treasury.balanceOf(victim), balance - 2);
        assertEq(_allowances(), before);
    }

    /// Changes all settings first, one after the other, then tries every way to settle for the user.
    function test_D26_EveryRouteForTheUser_NeedsTheUser() public {
        bytes32[5] memory ids = [usdc.id, usdx.id, trsy, bill.id, bond.id];
        bytes32 before = _holdings();
        vm.startPrank(hostile);
        core.setCoreVault(hostile);
        core.setStablecoinUSDValue(usdc.id, 1);
        core.setStablecoinUSDValue(usdx.id, type(uint88).max);
        bill.adapter.setPrice(1);
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            for (uint256 i = 0; i < ids.length; ++i) {
                for (uint256 k = 0; k < ids.length; ++k) {
                    _trySwapForTheVictim(routeId, ids[i], ids[k]);
                }
            }
        }
        vm.stopPrank();
        assertEq(_holdings(), before);
    }

    /* results of single functions */

    function test_D26_TheTreasuryDelegatesAdministrators_AreRefusedByName() public {
        bytes memory notAllowed = abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        uint256 tokens = treasury.balanceOf(victim);
        uint256 notes = note.token.balanceOf(victim);
        uint256 cashBefore = cash.token.balanceOf(victim);
        _assertReverts(issuer, abi.encodeCall(delegate.setRWACustodyAddress, (victim)), notAllowed);
        _assertReverts(issuer, abi.encodeCall(delegate.setStablecoinCustodyAddress, (victim)), notAllowed);
        _assertReverts(issuer, abi.encodeCall(delegate.withdrawStablecoin, (issuer, 1)), notAllowed);
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        _assertReverts(admin, abi.encodeCall(delegate.grantRole, (role, admin)), _unauthorized(admin, role));
        vm.startPrank(operator);
        core.setCoreVault(victim);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        core.swap(victim, operator, _one(ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1e18, 0)), _noPermit());
        vm.stopPrank();
        vm.prank(admin);
        delegate.setUserYieldMultiplier(victim, WAD);
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO, 0);
        assertEq(treasury.balanceOf(victim), tokens);
        assertEq(note.token.balanceOf(victim), notes);
        assertEq(cash.token.balanceOf(victim), cashBefore);
        assertEq(delegate.credits(victim), AMOUNT);
    }

    function test_D26_ABalanceSheetDelegatesAdministrators_AreRefusedByName() public {
        bytes32 before = _holdings();
        vm.startPrank(usdc.issuerAdmin);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setRWACustodyAddress(victim);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setStablecoinCustodyAddress(victim);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.withdrawStablecoin(usdc.issuerAdmin, 1);
        vm.stopPrank();

        vm.startPrank(admin);
        usdc.delegate.addStablecoinColdStorageAddress(usdc.issuerAdmin);
        bytes32 settlementRole = usdc.delegate.CORE_SWAP_CONTRACT();
        vm.expectRevert(_unauthorized(admin, settlementRole));
        usdc.delegate.grantRole(settlementRole, admin);
        vm.stopPrank();

        vm.prank(usdc.issuerAdmin);
        usdc.delegate.withdrawStablecoin(usdc.issuerAdmin, 1_000e6);

        // The operator names the user as vault, changes every price and value, and swaps for the user.
        vm.startPrank(operator);
        core.setCoreVault(victim);
        core.setStablecoinUSDValue(usdc.id, 100 * WAD);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        core.swap(victim, operator, _one(_leg(3, 1_000_000e6, false)), _noPermit());
        vm.stopPrank();
        assertEq(_holdings(), before);
    }

    // ---------------------------------------------------------------------------------------------- what is tried

    function _callsOfCoreSwap() private view returns (bytes[] memory calls) {
        calls = new bytes[](24);
        calls[0] = abi.encodeCall(core.configureStablecoinGuardrail, (usdc.id, victim, 1, true));
        calls[1] = abi.encodeCall(core.setBlacklisted, (victim, true));
        calls[2] = abi.encodeCall(core.setIssuerPaidProtocolFeeRate, (usdc.id, MAX_RATE));
        calls[3] = abi.encodeCall(core.setMaxSwapLegs, (32));
        calls[4] = abi.encodeCall(core.setCoreVault, (hostile));
        calls[5] = abi.encodeCall(core.setProtocolFeeExempt, (usdc.id, false));
        calls[6] = abi.encodeCall(core.setRWAAcceptance, (bill.id, address(0), address(bill.token), true));
        calls[7] = abi.encodeCall(core.setRWADiscountRate, (usdc.id, bill.id, MAX_RATE));
        calls[8] = abi.encodeCall(core.setRWARedemptionFee, (usdc.id, bill.id, MAX_RATE));
        calls[9] = abi.encodeCall(core.setRwaPriceAdapter, (bill.id, hostile));
        calls[10] = abi.encodeCall(core.setRwaWhitelistAdapter, (bill.id, hostile));
        calls[11] = abi.encodeCall(core.setSpreadProtocolTakeRate, (WAD));
        calls[12] = abi.encodeCall(
            core.setStablecoinAcceptance, (usdc.id, address(usdc.delegate), address(usdc.token), true, false)
        );
        calls[13] = abi.encodeCall(core.setStablecoinAcceptanceFee, (usdc.id, address(usdx.token), MAX_RATE));
        calls[14] = abi.encodeCall(core.setStablecoinRedemptionFee, (usdc.id, address(usdx.token), MAX_RATE));
        calls[15] = abi.encodeCall(core.setStablecoinUSDValue, (usdc.id, 1));
        calls[16] = abi.encodeCall(core.pause, ());
        calls[17] = abi.encodeCall(core.unpause, ());
        calls[18] = abi.encodeCall(core.grantRole, (core.OPERATOR_ROLE(), hostile));
        calls[19] = abi.encodeCall(core.revokeRole, (core.OPERATOR_ROLE(), operator));
        calls[20] = abi.encodeCall(core.adjustSwapInputAllowance, (hostile, usdc.id, ALL, true));
        calls[21] = abi.encodeCall(core.initialize, (hostile, hostile, hostile));
        calls[22] = abi.encodeCall(core.setAutoLiquidityStablecoinID, (usdc.id, trsy));
        calls[23] = abi.encodeCall(core.sweep, (usdc.id, ALL));
    }

    function _callsOfADelegate() private view returns (bytes[] memory calls) {
        calls = new bytes[](30);
        calls[0] = abi.encodeCall(delegate.acceptCustody, ());
        calls[1] = abi.encodeCall(delegate.addIssuerAdmin, (victim));
        calls[2] = abi.encodeCall(delegate.removeIssuerAdmin, (victim));
        calls[3] = abi.encodeCall(delegate.addRWAColdStorageAddress, (hostile));
        calls[4] = abi.encodeCall(delegate.addStablecoinColdStorageAddress, (hostile));
        calls[5] = abi.encodeCall(delegate.setRWACustodyAddress, (victim));
        calls[6] = abi.encodeCall(delegate.setStablecoinCustodyAddress, (victim));
        calls[7] = abi.encodeCall(delegate.withdrawStablecoin, (hostile, 1));
        calls[8] = abi.encodeCall(delegate.setRWACustodyAddress, (hostile));
        calls[9] = abi.encodeCall(delegate.setStablecoinCustodyAddress, (hostile));
        calls[10] = abi.encodeCall(delegate.withdrawStablecoin, (hostile, 1));
        calls[11] = abi.encodeCall(delegate.removeRWAColdStorageAddress, (hostile));
        calls[12] = abi.encodeCall(delegate.removeStablecoinColdStorageAddress, (hostile));
        calls[13] = abi.encodeCall(delegate.setBlacklist, (victim, true));
        calls[14] = abi.encodeCall(delegate.whitelistRWA, (address(note.token), true));
        calls[15] = abi.encodeCall(delegate.whitelistStablecoin, (address(treasury), true));
        calls[16] = abi.encodeCall(delegate.setRWADiscountRate, (bill.id, MAX_RATE));
        calls[17] = abi.encodeCall(delegate.setRWARedemptionFee, (bill.id, MAX_RATE));
        calls[18] = abi.encodeCall(delegate.setStablecoinAcceptanceFee, (address(usdx.token), MAX_RATE));
        calls[19] = abi.encodeCall(delegate.setStablecoinRedemptionFee, (address(usdx.token), MAX_RATE));
        calls[20] = abi.encodeCall(delegate.grantRole, (delegate.CORE_SWAP_CONTRACT(), hostile));
        calls[21] = abi.encodeCall(IStablecoinDelegate.deployStablecoin, (_settlement(bill.token)));
        calls[22] = abi.encodeCall(IStablecoinDelegate.receiveStablecoin, (_settlement(usdc.token)));
        calls[23] = abi.encodeCall(IStablecoinDelegate.exchangeRWAs, (_settlement(bill.token)));
        calls[24] = abi.encodeCall(IStablecoinDelegate.exchangeStablecoins, (_settlement(usdx.token)));
        calls[25] = abi.encodeCall(delegate.setAutoLiquidityStablecoinID, (trsy));
        calls[26] = abi.encodeCall(delegate.pauseCore, ());
        calls[27] = abi.encodeCall(delegate.revokeCustody, ());
        calls[28] = abi.encodeCall(delegate.setCustodyListing, (victim, true, true));
        calls[29] = abi.encodeCall(delegate.setIntakeCap, (address(bill.token), type(uint96).max));
    }

    function _callsOfTheTreasuryDelegate() private view returns (bytes[] memory calls) {
        calls = new bytes[](11);
        calls[0] = abi.encodeCall(delegate.unpauseCore, ());
        calls[1] = abi.encodeCall(delegate.postDailyRate, (DAY_ZERO + 2, 0));
        calls[2] = abi.encodeCall(delegate.correctDailyRate, (DAY_ZERO, 0));
        calls[3] = abi.encodeCall(delegate.setManagementFee, (0.05e18));
        calls[4] = abi.encodeCall(delegate.setMaxDailyRate, (0));
        calls[5] = abi.encodeCall(delegate.setMaxFallbackRateSeconds, (0));
        calls[6] = abi.encodeCall(delegate.accrueInterest, (victim, 1, 1));
        calls[7] = abi.encodeCall(delegate.setUserYieldMultiplier, (victim, WAD));
        calls[8] = abi.encodeCall(delegate.pause, ());
        calls[9] = abi.encodeCall(delegate.unpause, ());
        // Moves zero credits, because the administrator's power over credits is documented to take them.
        calls[10] = abi.encodeCall(delegate.moveCredits, (victim, hostile, 0));
    }

    function _callsOfTheToken() private view returns (bytes[] memory calls) {
        address[] memory victims = new address[](1);
        victims[0] = victim;
        calls = new bytes[](17);
        calls[0] = abi.encodeCall(ITreasury.addToWhitelist, (hostile));
        calls[1] = abi.encodeCall(ITreasury.mint, (hostile, 1));
        calls[2] = abi.encodeCall(ITreasury.addBridge, (hostile));
        calls[3] = abi.encodeCall(ITreasury.bridgeMint, (hostile, 1));
        calls[4] = abi.encodeCall(ITreasury.burnFrom, (victim, 1));
        calls[5] = abi.encodeWithSignature("transferFrom(address,address,uint256)", victim, hostile, 1);
        calls[6] = abi.encodeCall(ITreasury.burn, (1));
        calls[7] = abi.encodeCall(ITreasury.removeBridge, (hostile));
        calls[8] = abi.encodeCall(ITreasury.removeFromWhitelist, (victim));
        calls[9] = abi.encodeCall(ITreasury.addToBlacklist, (victim));
        calls[10] = abi.encodeCall(ITreasury.removeFromBlacklist, (victim));
        calls[11] = abi.encodeCall(ITreasury.addToBlacklistBatch, (victims));
        calls[12] = abi.encodeCall(ITreasury.removeFromBlacklistBatch, (victims));
        calls[13] = abi.encodeCall(ITreasury.pause, ());
        calls[14] = abi.encodeCall(ITreasury.unpause, ());
        calls[15] = abi.encodeCall(IAccessControl.grantRole, (treasury.MINTER_ROLE(), hostile));
        calls[16] = abi.encodeCall(ITreasury.setBridgeLimit, (hostile, type(uint96).max));
    }

    function _settlement(TestToken tokenIn) private view returns (IStablecoinDelegate.DelegateParams memory params) {
        (params.user, params.receiver, params.vault) = (victim, hostile, hostile);
        (params.assetInAddress, params.assetInAmount) = (address(tokenIn), 1e6);
        (params.assetOutAddress, params.assetOutAmount) = (address(usdc.token), 1);
    }

    // ------------------------------------------------------------------------------------------------ observation

    /// Makes the calls in order, each on the state that the previous ones left. Some fail; those that succeed must not
    /// take anything.
    function _assertVictimLosesNothing(address target, bytes[] memory calls) private {
        bytes32 holdings = _holdings();
        bytes32 allowances = _allowances();
        uint256 succeeded;
        for (uint256 i = 0; i < calls.length; ++i) {
            vm.prank(hostile);
            (bool success,) = target.call(calls[i]);
            if (success) ++succeeded;
            assertEq(_holdings(), holdings, vm.toString(calls[i]));
            assertEq(_allowances(), allowances, vm.toString(calls[i]));
        }
        assertGt(succeeded, calls.length / 2, "the account has the power it is said to have");
        assertEq(delegate.credits(victim), AMOUNT);
    }

    function _trySwapForTheVictim(uint256 routeId, bytes32 assetIn, bytes32 assetOut) private {
        bytes32[3] memory settlements = [usdc.id, usdx.id, trsy];
        for (uint256 s = 0; s < settlements.length; ++s) {
            ICoreSwap.SwapInputs memory leg =
                ICoreSwap.SwapInputs(routeId, assetIn, assetOut, settlements[s], 1e18, routeId % 2 == 0 ? 1 : 0);
            (bool success,) =
                address(core).call(abi.encodeCall(ICoreSwap.swap, (victim, hostile, _one(leg), _noPermit())));
            assertFalse(success);
        }
    }

    function _tokens() private view returns (TestToken[7] memory tokens) {
        return [usdc.token, usdx.token, cash.token, bill.token, bond.token, note.token, TestToken(address(treasury))];
    }

    function _holdings() private view returns (bytes32 digest) {
        TestToken[7] memory tokens = _tokens();
        for (uint256 i = 0; i < tokens.length; ++i) {
            digest = keccak256(abi.encode(digest, tokens[i].balanceOf(victim)));
        }
    }

    function _allowances() private view returns (bytes32 digest) {
        TestToken[7] memory tokens = _tokens();
        for (uint256 i = 0; i < tokens.length; ++i) {
            for (uint256 k = 0; k < spenders.length; ++k) {
                digest = keccak256(abi.encode(digest, tokens[i].allowance(victim, spenders[k])));
            }
        }
    }

    function _approveEverything() private {
        TestToken[7] memory tokens = _tokens();
        vm.startPrank(victim);
        for (uint256 i = 0; i < tokens.length; ++i) {
            for (uint256 k = 0; k < spenders.length; ++k) {
                tokens[i].approve(spenders[k], ALL);
            }
        }
        vm.stopPrank();
    }

    function _seizeEverything() private {
        bytes32[12] memory roles = [
            bytes32(0),
            keccak256("OPERATOR_ROLE"),
            keccak256("BLACKLISTER_ROLE"),
            keccak256("EXTERNAL_PAUSER_ROLE"),
            keccak256("PAUSE_ROLE"),
            keccak256("RATE_POSTER_ROLE"),
            keccak256("PAUSER_ROLE"),
            keccak256("WHITELISTER_ROLE"),
            keccak256("BLACKLISTER_ROLE"),
            keccak256("OPERATOR_ROLE"),
            keccak256("MINTER_ROLE"),
            keccak256("BRIDGE_ROLE")
        ];
        vm.startPrank(admin);
        for (uint256 i = 0; i < roles.length; ++i) {
            core.grantRole(roles[i], hostile);
            treasury.grantRole(roles[i], hostile);
            for (uint256 k = 0; k < delegates.length; ++k) {
                IAccessControl(delegates[k]).grantRole(roles[i], hostile);
            }
        }
        vm.stopPrank();
        address[3] memory issuers = [issuer, usdc.issuerAdmin, usdx.issuerAdmin];
        for (uint256 k = 0; k < issuers.length; ++k) {
            vm.prank(issuers[k]);
            IStablecoinDelegateAdmin(delegates[k]).addIssuerAdmin(hostile);
        }
    }
}
