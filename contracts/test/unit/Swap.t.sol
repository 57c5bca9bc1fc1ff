// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../src/interfaces/ICoreSwap.sol";
import {IPausable} from "../../src/interfaces/IPausable.sol";
import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {CallbackToken} from "../mocks/CallbackToken.sol";
import {CapRiskDelegate} from "../mocks/CapRiskDelegate.sol";
import {FeeOnTransferToken} from "../mocks/FeeOnTransferToken.sol";
import {NestedSwapper} from "../mocks/NestedSwapper.sol";
import {SettablePriceAdapter} from "../mocks/SettablePriceAdapter.sol";
import {SettableWhitelistAdapter} from "../mocks/SettableWhitelistAdapter.sol";
import {TestToken} from "../mocks/TestToken.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// What a swap checks beyond its quote, the settlement's outcome, batches, nesting and reentrancy.
contract SwapTest is CoreSwapFixture {
    /* the call */

    function test_Swap_WhenPaused_RevertsAndQuotesGoOn() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        vm.prank(pauser);
        core.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        _swap(leg);
        core.quoteSwap(user, leg);
        vm.prank(operator);
        core.unpause();
        _swap(leg);
    }

    function test_Swap_WithNoLegOrTooMany_Reverts() public {
        vm.startPrank(user);
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.swap(user, receiver, new ICoreSwap.SwapInputs[](0), _noPermit());
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.swap(user, receiver, _repeat(_leg(1, 1e18, false), 11), _noPermit());
        core.swap(user, receiver, _repeat(_leg(1, 1e18, false), 10), _noPermit());
        vm.stopPrank();
    }

    function test_Swap_WithAnInvalidAddress_Reverts() public {
        ICoreSwap.SwapInputs[] memory legs = _one(_leg(1, 1e18, false));
        vm.startPrank(user);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.InvalidSwapAddress.selector, address(0)));
        core.swap(address(0), receiver, legs, _noPermit());
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.InvalidSwapAddress.selector, address(0)));
        core.swap(user, address(0), legs, _noPermit());
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.InvalidSwapAddress.selector, address(core)));
        core.swap(user, address(core), legs, _noPermit());
        vm.stopPrank();
    }

    function test_S18_Swap_WithABlacklistedUserReceiverOrCaller_Reverts() public {
        ICoreSwap.SwapInputs[] memory legs = _one(_leg(1, 1e18, false));
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, type(uint256).max, true);
        address[3] memory parties = [user, receiver, broker];
        for (uint256 k = 0; k < parties.length; ++k) {
            vm.prank(blacklister);
            core.setBlacklisted(parties[k], true);
            vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UserBlacklisted.selector, parties[k]));
            vm.prank(broker);
            core.swap(user, receiver, legs, _noPermit());
            vm.prank(blacklister);
            core.setBlacklisted(parties[k], false);
        }
        vm.prank(broker);
        core.swap(user, receiver, legs, _noPermit());
    }

    /* controls of the RWA */

    function test_Swap_AsksTheWhitelistOfTheUserForAnRWAIn() public {
        SettableWhitelistAdapter register = new SettableWhitelistAdapter();
        vm.prank(operator);
        core.setRwaWhitelistAdapter(bill.id, address(register));
        register.set(receiver, true);
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UserNotWhitelisted.selector, bill.id, user));
        _swap(leg);
        register.set(user, true);
        _swap(leg);
    }

    function test_Swap_AsksTheWhitelistOfTheReceiverForAnRWAOut() public {
        SettableWhitelistAdapter register = new SettableWhitelistAdapter();
        vm.prank(operator);
        core.setRwaWhitelistAdapter(bond.id, address(register));
        register.set(user, true);
        ICoreSwap.SwapInputs memory leg = _leg(3, 1_000e6, false);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UserNotWhitelisted.selector, bond.id, receiver));
        _swap(leg);
        register.set(receiver, true);
        _swap(leg);
    }

    function test_Swap_AsksTheRiskDelegatesOnBothSides() public {
        CapRiskDelegate riskIn = new CapRiskDelegate(address(core), 1_500e18, 0);
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        uint256 amountOut = core.quoteSwap(user, leg).tokenOutAmt;
        CapRiskDelegate riskOut = new CapRiskDelegate(address(core), 0, amountOut);
        vm.startPrank(operator);
        core.setRWAAcceptance(bill.id, address(riskIn), address(bill.token), true);
        core.setRWAAcceptance(bond.id, address(riskOut), address(bond.token), true);
        vm.stopPrank();

        _swap(leg);
        assertEq(riskIn.capIn(), 500e18);
        assertEq(riskIn.lastUser(), user);
        assertEq(riskOut.capOut(), 0);
        assertEq(riskOut.lastReceiver(), receiver);

        // Each cap alone now refuses, and what the other side counted is undone with the leg.
        vm.expectRevert(ICoreSwap.RWAValidityCheckFailed.selector);
        _swap(leg);
        leg = _leg(5, 500e18, false);
        vm.expectRevert(ICoreSwap.RWAValidityCheckFailed.selector);
        _swap(leg);
        assertEq(riskIn.capIn(), 500e18);
    }

    /* settlement */

    function test_Swap_OfAFeeOnTransferRWA_FailsToDeployTheStablecoin() public {
        RWA memory fee = _addToken(new FeeOnTransferToken(18));
        vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
        _swap(ICoreSwap.SwapInputs(1, fee.id, usdc.id, usdc.id, 1_000e18, 0));
        vm.expectRevert(ICoreSwap.FailedToDeployRWA.selector);
        _swap(ICoreSwap.SwapInputs(5, fee.id, bond.id, usdc.id, 1_000e18, 0));
    }

    function test_Swap_OfAFeeOnTransferStablecoin_Fails() public {
        TestToken token = new FeeOnTransferToken(6);
        // The fixture's token of that stablecoin now takes a fee; its record stays as it is.
        vm.etch(address(usdc.token), address(token).code);
        vm.expectRevert(ICoreSwap.FailedToDeployRWA.selector);
        _swap(_leg(3, 1_000e6, false));
        vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, 1_000e6, 0));
        vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdx.id, 1_000e6, 0));
    }

    function test_S14_Batch_EqualsTheSameLegsInSequence() public {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](3);
        legs[0] = _leg(1, 1_000e18, false);
        legs[1] = _leg(4, 3e6, false);
        legs[2] = _leg(8, 50e6, true);
        uint256 snapshot = vm.snapshotState();
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        bytes32 batch = _fingerprint();
        vm.revertToState(snapshot);
        for (uint256 k = 0; k < legs.length; ++k) {
            _swap(legs[k]);
        }
        assertEq(_fingerprint(), batch);
    }

    function test_S14_Batch_WithAFailingLeg_ChangesNothing() public {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = _leg(1, 1_000e18, false);
        legs[1] = _leg(4, 0, false);
        bytes32 before = _fingerprint();
        vm.expectRevert(ICoreSwap.InsufficientRWAOutput.selector);
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        assertEq(_fingerprint(), before);
    }

    function test_Batch_LaterLegsSpendWhatEarlierOnesBrought() public {
        address trader = makeAddr("trader");
        bill.token.mint(trader, 1_000e18);
        _approve(trader, bill.token);
        _approve(trader, usdc.token);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = _leg(1, 1_000e18, false);
        legs[1] = _leg(3, core.quoteSwap(trader, legs[0]).tokenOutAmt, false);
        vm.prank(trader);
        core.swap(trader, trader, legs, _noPermit());
        assertEq(bill.token.balanceOf(trader), 0);
        assertEq(usdc.token.balanceOf(trader), 0);
        assertGt(bond.token.balanceOf(trader), 0);
    }

    function test_NestedSwap_PaysTheReceiverAndReturnsTheRest() public {
        NestedSwapper nested = new NestedSwapper(core);
        ICoreSwap.SwapInputs memory leg = _leg(4, 5e6, false);
        uint256 cost = core.quoteSwap(address(nested), leg).tokenInAmt;
        uint256 balanceBefore = usdc.token.balanceOf(user);
        vm.startPrank(user);
        usdc.token.approve(address(nested), 1_000e6);
        nested.swapFor(usdc.token, 1_000e6, address(usdc.delegate), receiver, leg);
        vm.stopPrank();
        assertEq(bond.token.balanceOf(receiver), 5e6);
        assertEq(balanceBefore - usdc.token.balanceOf(user), cost);
        assertEq(usdc.token.balanceOf(address(nested)), 0);
    }

    /* reentrancy */

    function test_S15_Reentrancy_FromATokenIn_Reverts() public {
        CallbackToken token = new CallbackToken(18);
        RWA memory hostile = _addToken(token);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, hostile.id, usdc.id, usdc.id, 1_000e18, 0);
        token.setCallback(
            address(core), abi.encodeCall(ICoreSwap.swap, (address(token), address(token), _one(leg), _noPermit()))
        );
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        _swap(leg);
    }

    function test_S15_Reentrancy_FromATokenOut_Reverts() public {
        CallbackToken token = new CallbackToken(18);
        RWA memory hostile = _addToken(token);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(3, usdc.id, hostile.id, usdc.id, 1_000e6, 0);
        token.setCallback(
            address(core), abi.encodeCall(ICoreSwap.swap, (address(token), address(token), _one(leg), _noPermit()))
        );
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        _swap(leg);
    }

    function _addToken(TestToken token) private returns (RWA memory rwa) {
        rwa = RWA({id: _id(token.symbol()), token: token, adapter: new SettablePriceAdapter(WAD)});
        vm.startPrank(operator);
        core.setRWAAcceptance(rwa.id, address(0), address(token), true);
        core.setRwaPriceAdapter(rwa.id, address(rwa.adapter));
        vm.stopPrank();
        token.mint(user, 1e30);
        token.mint(usdc.custody, 1e30);
        _approve(user, token);
        vm.prank(usdc.custody);
        token.approve(address(usdc.delegate), type(uint256).max);
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(token), true);
    }

    function _repeat(ICoreSwap.SwapInputs memory leg, uint256 count)
        private
        pure
        returns (ICoreSwap.SwapInputs[] memory legs)
    {
        legs = new ICoreSwap.SwapInputs[](count);
        for (uint256 k = 0; k < count; ++k) {
            legs[k] = leg;
        }
    }

    function _fingerprint() private view returns (bytes32 digest) {
        TestToken[4] memory tokens = [usdc.token, usdx.token, bill.token, bond.token];
        address[5] memory accounts = [user, receiver, vault, usdc.custody, usdx.custody];
        for (uint256 t = 0; t < tokens.length; ++t) {
            for (uint256 a = 0; a < accounts.length; ++a) {
                digest = keccak256(abi.encode(digest, tokens[t].balanceOf(accounts[a])));
            }
        }
    }
}
