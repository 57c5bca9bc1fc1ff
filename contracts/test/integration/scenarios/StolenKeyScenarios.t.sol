// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "../../helpers/DelegateTest.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// One key is stolen, and the thief does the worst that it can. SECURITY.md names these tests.
contract StolenKeyScenariosTest is DelegateTest {
    uint96 private constant CAP = 10_000e18;
    uint256 private constant ROUNDS = 100;

    address private thief = makeAddr("thief");

    function setUp() public override {
        super.setUp();
        _admit(thief);
        _setIntakeCap(address(delegate), address(note.token), CAP);
        _setIntakeCap(address(usdc.delegate), address(bill.token), CAP);
    }

    /// Names itself as custody of a plain stablecoin's LP, sells it an RWA and takes that back, again and again.
    function test_X6_IssuerAdminOfAPlainStablecoin_CannotTakeWhatComesIn() public {
        _assertCannotBecomeCustody(usdc.delegate, usdc.issuerAdmin);
    }

    /// The same at the treasury, which pays with minted tokens.
    function test_X6_IssuerAdminOfTheTreasury_CannotTakeWhatComesIn() public {
        _assertCannotBecomeCustody(delegate, issuer);
    }

    /// Deposits the assets in custody again and again. The minted tokens are worth at most two caps a day.
    function test_X6_D29_CustodyOfTheTreasury_MintsAtMostTwoCapsADay() public {
        uint256 minted = _cycle(trsy, note.id, rwaCustody);
        assertEq(minted, CAP, "in one block");
        vm.warp(vm.getBlockTimestamp() + 1 days);
        assertEq(minted + _cycle(trsy, note.id, rwaCustody), 2 * uint256(CAP), "in 24 hours");
    }

    /// Sells the LP its own RWAs again and again. At most two caps a day leave the reserve.
    function test_X6_D29_CustodyOfAPlainStablecoin_DrawsAtMostTwoCapsADay() public {
        uint256 drawn = _cycle(usdc.id, bill.id, usdc.custody);
        uint256 worth = core.quoteSwap(thief, ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, CAP, 0)).tokenOutAmt;
        assertApproxEqAbs(drawn, worth, ROUNDS, "in one block");
        vm.warp(vm.getBlockTimestamp() + 1 days);
        assertApproxEqAbs(drawn + _cycle(usdc.id, bill.id, usdc.custody), 2 * worth, 2 * ROUNDS, "in 24 hours");
    }

    /// Removes the other issuer admins and pauses. The administrator can undo both.
    function test_X6_IssuerAdmin_CannotHoldAnLPForGood() public forEachDelegate {
        vm.startPrank(issuer);
        delegate.addIssuerAdmin(thief);
        vm.stopPrank();
        vm.startPrank(thief);
        delegate.removeIssuerAdmin(issuer);
        delegate.pauseCore();
        vm.stopPrank();

        vm.startPrank(admin);
        delegate.addIssuerAdmin(second);
        delegate.removeIssuerAdmin(thief);
        vm.stopPrank();
        vm.prank(second);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
    }

    /// Swaps one hundredth of the cap at a time, each time with the tokens that the custody received, until a swap is
    /// refused.
    function _cycle(bytes32 c, bytes32 rwa, address custody) private returns (uint256 drawn) {
        (,,, address lp,) = core.stablecoinInfo(c);
        (,,,, address token) = core.rwaInfo(rwa);
        (,,,, address paid) = core.stablecoinInfo(c);
        vm.prank(thief);
        bill.token.approve(lp, ALL);
        uint256 amount = CAP / ROUNDS;
        uint256 before = _balance(paid, thief);
        for (uint256 i = 0; i < 2 * ROUNDS; ++i) {
            deal(token, thief, amount);
            ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, rwa, c, c, amount, 0);
            vm.prank(thief);
            (bool success,) = address(core).call(abi.encodeCall(core.swap, (thief, thief, _one(leg), _noPermit())));
            if (!success) break;
            // The custody uses the tokens for the next swap.
            deal(token, custody, _balance(token, custody) - amount);
        }
        return _balance(paid, thief) - before;
    }

    function _balance(address token, address account) private view returns (uint256) {
        (bool success, bytes memory answer) = token.staticcall(abi.encodeCall(bill.token.balanceOf, (account)));
        assertTrue(success);
        return abi.decode(answer, (uint256));
    }

    function _assertCannotBecomeCustody(IStablecoinDelegateAdmin lp, address issuerAdmin) private {
        vm.startPrank(issuerAdmin);
        lp.acceptCustody();
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        lp.setRWACustodyAddress(issuerAdmin);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        lp.setStablecoinCustodyAddress(issuerAdmin);
        vm.stopPrank();
    }
}
