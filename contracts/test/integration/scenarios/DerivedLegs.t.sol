// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../../helpers/AutoLiquidityFixture.sol";
import {DelegateOfTheOperator} from "../../mocks/DelegateOfTheOperator.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @notice Derived legs move another account's tokens when anyone swaps. These tests show that they cannot be forced on
/// an account, and cannot cost a custody more than it agreed to.
contract DerivedLegsScenariosTest is AutoLiquidityFixture {
    function setUp() public override {
        super.setUp();
        _admit(receiver);
    }

    /// An issuer admin cannot name an account that never agreed to be custody, whatever that account approved.
    function test_DerivedLegs_ForAnAccountThatIsNoCustody_CannotBeArranged() public {
        vm.startPrank(usdc.issuerAdmin);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        usdc.delegate.setStablecoinCustodyAddress(alice);
        vm.stopPrank();
    }

    /// A custody that pays for its LP, holds treasury tokens and approved both delegates, but did not give CoreSwap an
    /// allowance. No reserve setting, swap or caller moves its tokens by a derived leg.
    function test_DerivedLegs_ForACustodyThatAllowedNothing_MoveNothing() public {
        _allow(usdc.id, 0);
        _allow(trsy, 0);
        uint256 tokens = treasury.balanceOf(usdc.custody);
        uint256 buffer = usdc.token.balanceOf(usdc.custody);

        vm.prank(user);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        core.swap(user, receiver, _one(_leg(2, 20_000e6, false)), _noPermit());

        ICoreSwap.SwapResolved memory quoted = core.quoteSwap(user, _leg(3, 5_000e6, false));
        _swap(_leg(3, 5_000e6, false));
        assertEq(treasury.balanceOf(usdc.custody), tokens);
        uint256 received = quoted.tokenInAmt - quoted.issuerFeeAmt - quoted.spreadFeeAmt;
        assertEq(usdc.token.balanceOf(usdc.custody), buffer + received);
    }

    /// An allowance given to CoreSwap by an account that is not a custody has no effect.
    function test_DerivedLegs_OfAUserThatAllowedCoreSwap_AreImpossible() public {
        _deposit(alice, 1_000e18);
        vm.startPrank(alice);
        core.adjustSwapInputAllowance(address(core), trsy, ALL, true);
        core.adjustSwapInputAllowance(address(core), usdc.id, ALL, true);
        vm.stopPrank();
        _setBuffer(0);

        vm.startPrank(stranger);
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        core.swap(alice, stranger, _one(_prefundLeg(100e6)), _noPermit());
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.InvalidSwapAddress.selector, stranger));
        core.sweep(usdc.id, 1);
        vm.stopPrank();

        _swap(_leg(2, 20_000e6, false));
        _swap(_leg(3, 5_000e6, false));
        assertEq(treasury.balanceOf(alice), 1_000e18);
        assertEq(usdc.token.balanceOf(alice), DEEP * 1e6);
    }

    /// The custody is debited at most its allowance, however often swaps prefund and sweep.
    function testFuzz_DerivedLegs_S21_SpendWithinTheAllowance(uint256 amount, uint256 allowance, uint8 rounds) public {
        amount = bound(amount, 1e6, 4_000e6);
        allowance = bound(allowance, 0, 20_000e18);
        _allow(trsy, allowance);
        uint256 tokens = treasury.balanceOf(usdc.custody);
        ICoreSwap.SwapInputs[] memory legs = _one(_leg(2, amount, false));
        for (uint256 i = 0; i < uint256(rounds) % 8; ++i) {
            vm.prank(user);
            (bool success, bytes memory reason) =
                address(core).call(abi.encodeCall(ICoreSwap.swap, (user, receiver, legs, _noPermit())));
            if (!success) assertEq(reason, abi.encodeWithSelector(ICoreSwap.InsufficientSwapAllowance.selector));
        }
        uint256 spent = tokens - treasury.balanceOf(usdc.custody);
        assertLe(spent, allowance);
        assertEq(core.swapInputAllowances(usdc.custody, address(core), trsy), allowance - spent);
    }

    /// CoreSwap's operator registers a delegate of its own, which agrees to a USD value of 100. One swap then redeems
    /// the reserve at 1 % of its worth: what binds the operator is what the custody allowed CoreSwap, and no value.
    function test_X6_OperatorOfCoreSwap_AgreesToAFalseValueForACustodysPrefund() public {
        uint256 allowed = RESERVE / 2;
        _allow(trsy, allowed);
        _register(100e18);
        _expectRedeemed(allowed * 3 / 2, false);
        _expectRedeemed(allowed * 98 / 100, true);
    }

    /// The other way round, at 0.01 USD: a sweep deposits the custody's USDC at 1 % of their worth.
    function test_X6_OperatorOfCoreSwap_AgreesToAFalseValueForACustodysSweep() public {
        uint256 reserve = treasury.balanceOf(usdc.custody);
        _allow(usdc.id, BUFFER);
        _register(0.01e18);
        _swapOfTheOperator(ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, BUFFER * 9 / 10, 0));
        assertLt(usdc.token.balanceOf(usdc.custody), BUFFER / 5, "swept");
        assertLt(treasury.balanceOf(usdc.custody) - reserve, 10e18, "for 1 % of its worth");
    }

    function _register(uint256 usdValueWad) private {
        DelegateOfTheOperator false_ =
            new DelegateOfTheOperator(address(core), usdc.id, address(usdc.token), usdc.custody);
        vm.startPrank(operator);
        core.setStablecoinUSDValue(usdc.id, usdValueWad);
        core.setStablecoinAcceptance(usdc.id, address(false_), address(usdc.token), true, false);
        vm.stopPrank();
        false_.agree(trsy);
    }

    /// Asks for a payout that redeems `tokens` of the reserve, and asserts whether the custody loses them.
    function _expectRedeemed(uint256 tokens, bool succeeds) private {
        uint256 reserve = treasury.balanceOf(usdc.custody);
        uint256 buffer = usdc.token.balanceOf(usdc.custody);
        uint256 shortfall = tokens / 100 / 1e12;
        if (!succeeds) vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        _swapOfTheOperator(ICoreSwap.SwapInputs(2, bill.id, usdc.id, usdc.id, ALL, buffer + shortfall));
        if (!succeeds) return;
        assertApproxEqRel(reserve - treasury.balanceOf(usdc.custody), tokens, 0.01e18, "redeemed");
        assertApproxEqRel(usdc.token.balanceOf(usdc.custody) - buffer, shortfall, 0.01e18, "for 1 % of its worth");
    }

    function _swapOfTheOperator(ICoreSwap.SwapInputs memory leg) private {
        vm.prank(operator);
        core.swap(operator, operator, _one(leg), _noPermit());
    }

    /// A sweep beyond the allowance does nothing, so anyone can turn the reserve into the stablecoin and leave it idle.
    function test_DerivedLegs_ThereAndBack_LeaveTheReserveIdle() public {
        uint256 amount = 50_800e6;
        _allow(usdc.id, amount - 1_000e6);
        deal(address(usdx.token), user, 51_000e18);
        vm.startPrank(user);
        usdx.token.approve(address(usdc.delegate), ALL);
        usdc.token.approve(address(usdc.delegate), ALL);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = ICoreSwap.SwapInputs(8, usdx.id, usdc.id, usdc.id, ALL, amount);
        legs[1] = ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, amount, 0);
        core.swap(user, user, legs, _noPermit());
        vm.stopPrank();
        assertGt(usdc.token.balanceOf(usdc.custody), amount * 9 / 10);
        assertLt(treasury.balanceOf(usdc.custody), 1_000e18);
    }
}
