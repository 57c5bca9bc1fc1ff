// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IYieldBearingDelegate} from "src/interfaces/IYieldBearingDelegate.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {FlatYieldDelegate} from "test/mocks/FlatYieldDelegate.sol";

/// Tests quotes of a yield-bearing stablecoin.
contract CoreSwapQuoteYieldBearingTest is CoreSwapTest {
    LP private yielding;

    function test_WhenAStablecoinIsDepositedForAYieldBearingOneWithoutFees() public {
        _addYielding();
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(7, usdc.id, yielding.id, yielding.id, 1_234.567891e6, 0);
        assertEq(core.quoteSwap(user, leg).tokenOutAmt, 1_234.567891e18);
    }

    function test_RevertWhen_TheYieldBearingOneIsSettledByAnother_S2() public {
        _addYielding();
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(7, usdc.id, yielding.id, usdc.id, 1e6, 0);
        _expectBoth(leg, _invalidDelegateID(usdc.id, yielding.id));
        leg = ICoreSwap.SwapInputs(7, yielding.id, usdc.id, usdc.id, 1e18, 0);
        _expectBoth(leg, _invalidDelegateID(usdc.id, yielding.id));
    }

    function test_RevertWhen_BothStablecoinsAreYieldBearing_S2() public {
        _addYielding();
        bytes32 first = yielding.id;
        _addYielding();
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(7, first, yielding.id, first, 1e18, 0);
        _expectBoth(leg, _invalidDelegateID(first, yielding.id));
        leg.stablecoinDelegateID = yielding.id;
        _expectBoth(leg, _invalidDelegateID(yielding.id, yielding.id));
    }

    /// Redeemed for a stablecoin, the tokens are worth a tenth more; for an RWA, an eighth more.
    function test_WhenAYieldBearingOneIsRedeemed() public {
        _addYielding();
        FlatYieldDelegate(address(yielding.delegate)).setCredits(user, 1_000e18);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(7, yielding.id, usdc.id, yielding.id, 1_000e18, 0);
        assertEq(core.quoteSwap(user, leg).tokenOutAmt, 1_100e6);

        bill.adapter.setPrice(WAD);
        leg = ICoreSwap.SwapInputs(3, yielding.id, bill.id, yielding.id, 1_000e18, 0);
        assertEq(core.quoteSwap(user, leg).tokenOutAmt, 1_125e18);

        leg = ICoreSwap.SwapInputs(8, yielding.id, usdc.id, yielding.id, type(uint256).max, 1_100e6);
        assertEq(core.quoteSwap(user, leg).tokenInAmt, 1_000e18);
        leg = ICoreSwap.SwapInputs(4, yielding.id, bill.id, yielding.id, type(uint256).max, 1_125e18);
        assertEq(core.quoteSwap(user, leg).tokenInAmt, 1_000e18);
    }

    function test_RevertWhen_TheRedemptionNeedsMoreCreditsThanThereAre_S2() public {
        _addYielding();
        FlatYieldDelegate(address(yielding.delegate)).setCredits(user, 999e18);
        bytes memory reason =
            abi.encodeWithSelector(IYieldBearingDelegate.InsufficientCredits.selector, 1_000e18, 999e18);
        _expectBoth(ICoreSwap.SwapInputs(7, yielding.id, usdc.id, yielding.id, 1_000e18, 0), reason);
        _expectBoth(ICoreSwap.SwapInputs(8, yielding.id, usdc.id, yielding.id, type(uint256).max, 1_100e6), reason);
    }

    /// With the yield, the result exceeds the bound, although the amount in does not.
    function test_RevertWhen_TheValueOfTheRedemptionIsAboveTheBound_S2_S24() public {
        _addYielding();
        FlatYieldDelegate(address(yielding.delegate)).setCredits(user, type(uint256).max);
        uint256 most = type(uint128).max;
        _expectBoth(
            ICoreSwap.SwapInputs(7, yielding.id, usdc.id, yielding.id, most, 0),
            abi.encodePacked(ICoreSwap.InsufficientStablecoinOutput.selector)
        );
        _expectBoth(
            ICoreSwap.SwapInputs(7, yielding.id, usdc.id, yielding.id, most + 1, 0),
            abi.encodePacked(ICoreSwap.InsufficientStablecoinInput.selector)
        );
    }

    /// The quote never panics, whatever a delegate returns.
    function test_RevertWhen_TheYieldDoesNotFit_S2_S24() public {
        _addYielding();
        bytes memory query = abi.encodeCall(IYieldBearingDelegate.getYieldAmount, (user, 1e18, true));
        vm.mockCall(address(yielding.delegate), query, abi.encode(type(uint256).max));
        _expectBoth(
            ICoreSwap.SwapInputs(7, yielding.id, usdc.id, yielding.id, 1e18, 0),
            abi.encodePacked(ICoreSwap.InsufficientStablecoinOutput.selector)
        );
    }

    function _addYielding() private {
        yielding.token = new TestToken("Yielding", "YIELD", 18);
        yielding.id = keccak256(abi.encode(yielding.token));
        yielding.issuerAdmin = makeAddr("yielding issuer admin");
        yielding.delegate = FlatYieldDelegate(
            address(
                new ERC1967Proxy(
                    address(new FlatYieldDelegate()),
                    abi.encodeWithSignature(
                        "initialize(address,address,address,bytes32,address)",
                        admin,
                        yielding.issuerAdmin,
                        address(core),
                        yielding.id,
                        address(yielding.token)
                    )
                )
            )
        );
        vm.startPrank(operator);
        core.setStablecoinAcceptance(yielding.id, address(yielding.delegate), address(yielding.token), true, true);
        core.setStablecoinUSDValue(yielding.id, WAD);
        vm.stopPrank();
    }

    /// S2: asserts that the swap reverts with the same data as the quote.
    function _expectBoth(ICoreSwap.SwapInputs memory leg, bytes memory reason) private {
        vm.expectRevert(reason);
        core.quoteSwap(user, leg);
        vm.expectRevert(reason);
        _swap(leg);
    }

    function _invalidDelegateID(bytes32 actual, bytes32 expected) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ICoreSwap.InvalidStablecoinDelegateID.selector, actual, expected);
    }
}
