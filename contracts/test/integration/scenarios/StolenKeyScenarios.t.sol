// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "../../helpers/DelegateTest.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// One key is stolen, and the thief does the worst that it can. SECURITY.md names these tests.
contract StolenKeyScenariosTest is DelegateTest {
    uint96 private constant CAP = 10_000e18;
    uint256 private constant ROUNDS = 100;

    /// Units of BILL in a custody of RWAs, and of USDC in the stolen custody, which are worth far less.
    uint256 private constant RWAS = 1_000_000e18;
    uint256 private constant FLOAT = 20_000e6;
    /// Intake cap of USDC at its own LP.
    uint96 private constant OWN_CAP = 200_000e6;

    address private thief = makeAddr("thief");
    address private rwaHolder = makeAddr("custody of RWAs whose key is safe");
    TimelockController private timelock;

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

    /// At rates of zero, lists a stablecoin again that the LP had delisted when it lost its peg, and deposits it at the
    /// operator's USD value. The intake cap, which stayed, is the bound: two caps in 24 hours.
    function test_X6_IssuerAdmin_ListsADepeggedStablecoinAgain() public {
        uint96 cap = uint96(10_000 * 10 ** usdx.token.decimals());
        _setIntakeCap(address(delegate), address(usdx.token), cap);
        vm.startPrank(issuer);
        delegate.setStablecoinAcceptanceFee(address(usdx.token), 0);
        delegate.whitelistStablecoin(address(usdx.token), false);
        delegate.whitelistStablecoin(address(usdx.token), true);
        vm.stopPrank();
        uint256 worth = 10_000 * core.stablecoinUSDValue(usdx.id);
        _depositUpTo(usdx.id, address(usdx.token), cap);
        assertEq(treasury.balanceOf(thief), worth, "in one block");
        skip(1 days);
        _depositUpTo(usdx.id, address(usdx.token), cap);
        assertEq(treasury.balanceOf(thief), 2 * worth, "in 24 hours");
        assertEq(_redeem(thief, 2 * worth), 2 * worth, "paid in a stablecoin that kept its peg");
    }

    /// What helps: the guardian or the LP also sets the cap to zero, at once, and an issuer admin cannot raise it.
    function test_X6_IssuerAdmin_ListsADepeggedStablecoinAgain_InVainWithACapOfZero() public {
        address guardian = makeAddr("guardian");
        bytes32 role = delegate.PAUSE_ROLE();
        vm.prank(admin);
        delegate.grantRole(role, guardian);
        address[2] memory callers = [guardian, issuer];
        for (uint256 i = 0; i < callers.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(callers[i]);
            delegate.setIntakeCap(address(usdx.token), 0);
            vm.startPrank(issuer);
            delegate.whitelistStablecoin(address(usdx.token), false);
            delegate.whitelistStablecoin(address(usdx.token), true);
            vm.expectRevert(_unauthorized(issuer, 0));
            delegate.setIntakeCap(address(usdx.token), 1);
            vm.stopPrank();
            skip(1 days);
            _assertRefusesMore(usdx.id, address(usdx.token), 1_000);
            vm.revertToState(snapshot);
        }
    }

    /// Repeats the NAV while the true one falls by 4 % a day, which an honest poster would have posted each day. It
    /// counts as no move and the NAV stays fresh: the adapter does not limit the gap, which is the asset's own move. The
    /// intake cap limits what is made of it, and so does the age of the NAV once nobody posts.
    function test_X6_NavPoster_RenewsAnOldNavForEver() public {
        address navPoster = makeAddr("nav poster");
        NavPriceAdapter adapter = new NavPriceAdapter(admin, navPoster, WAD, 0.05e18, 0.05e18, 26 hours);
        vm.prank(operator);
        core.setRwaPriceAdapter(note.id, address(adapter));
        uint256 trueNav = WAD;
        for (uint256 day = 1; day <= 8; ++day) {
            skip(1 days);
            trueNav = trueNav * 96 / 100;
            vm.prank(navPoster);
            adapter.postNav(WAD);
            assertEq(adapter.getPrice(), WAD);
            assertEq(adapter.availableMoveWad(), 0.05e18, "counts as no move");
            _depositUpTo(note.id, address(note.token), CAP);
            assertEq(treasury.balanceOf(thief), day * CAP, "two caps within 24 hours, one more in each further day");
        }
        assertGt(WAD * WAD / trueNav, 1.38e18, "more than two daily bounds, which compound to 10.52 %");

        skip(26 hours);
        assertEq(adapter.getPrice(), WAD);
        skip(1);
        vm.expectRevert(
            abi.encodeWithSelector(NavPriceAdapter.StaleNav.selector, vm.getBlockTimestamp() - 26 hours - 1, 26 hours)
        );
        adapter.getPrice();
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

    /// The stablecoin custody sends its USDC to the thief, who buys RWAs with them: the USDC come back to the stolen
    /// custody. In one block, the RWA custody loses all that it approved, and the thief pays only the protocol fee.
    /// Intake caps of foreign assets do not count the LP's own stablecoin, which has no cap until one is set.
    function test_X6_StablecoinCustodyOfAPlainStablecoin_TakesWhatTheRWACustodyApproved() public {
        _separateCustodies();
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setIntakeCap(address(bill.token), 0);

        uint256 approved = RWAS / 4;
        _approveRWAs(approved);
        uint256 taken = _buyWithTheFloat();
        assertLe(taken, approved, "a finite approval bounds it");
        assertGt(taken, approved * 9 / 10, "and nothing else does");

        _approveRWAs(ALL);
        taken += _buyWithTheFloat();
        assertGt(taken, RWAS * 9 / 10, "an unlimited approval bounds nothing");
        uint256 worth = core.quoteSwap(thief, ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, taken, 0)).tokenOutAmt;
        assertGt(worth, 10 * FLOAT, "many times what the stolen key held");
        assertGt(usdc.token.balanceOf(usdc.custody), FLOAT * 9 / 10, "which it still holds, less the protocol fee");
    }

    /// The delegate needs no approval of itself. As the custody of RWAs alone, it loses them all.
    function test_X6_StablecoinCustodyOfAPlainStablecoin_TakesAllRWAsOfTheDelegateItself() public {
        _separateCustodies();
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        rwaHolder = address(usdc.delegate);
        deal(address(bill.token), rwaHolder, RWAS);
        assertGt(_buyWithTheFloat(), RWAS * 9 / 10);
    }

    /// With a cap of the LP's own stablecoin, at most two caps' worth leaves, although all RWAs are approved.
    function test_X6_D29_StablecoinCustodyOfAPlainStablecoin_BuysAtMostTwoOwnCapsADay() public {
        _separateCustodies();
        _approveRWAs(ALL);
        _assertBuysAtMostTwoOwnCapsADay();
    }

    /// The same where the delegate needs no approval.
    function test_X6_D29_StablecoinCustodyOfAPlainStablecoin_BuysAtMostTwoOwnCapsADayOfTheDelegate() public {
        _separateCustodies();
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        deal(address(bill.token), address(usdc.delegate), RWAS);
        _assertBuysAtMostTwoOwnCapsADay();
    }

    /// Where no cap was ever set, the guardian and the LP can set one at once, because that lowers it.
    function test_X6_D29_StablecoinCustodyOfAPlainStablecoin_IsStoppedByAnOwnCapOfZero() public {
        _separateCustodies();
        _approveRWAs(ALL);
        address guardian = makeAddr("guardian");
        bytes32 role = usdc.delegate.PAUSE_ROLE();
        vm.prank(admin);
        usdc.delegate.grantRole(role, guardian);
        address[2] memory callers = [guardian, usdc.issuerAdmin];
        for (uint256 i = 0; i < callers.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(callers[i]);
            usdc.delegate.setIntakeCap(address(usdc.token), 0);
            assertEq(_buyWithTheFloat(), 0);
            skip(1 days);
            assertEq(_buyWithTheFloat(), 0, "later");
            vm.revertToState(snapshot);
        }
        assertGt(_buyWithTheFloat(), 0, "without it");
    }

    function test_X6_StablecoinCustodyOfAPlainStablecoin_IsStoppedByAPauseOrAnApprovalOfZero() public {
        _separateCustodies();
        _approveRWAs(ALL);
        uint256 snapshot = vm.snapshotState();
        vm.prank(admin);
        usdc.delegate.pause();
        assertEq(_buyWithTheFloat(), 0, "paused");
        vm.revertToState(snapshot);
        _approveRWAs(0);
        assertEq(_buyWithTheFloat(), 0, "approval of zero");
        vm.revertToState(snapshot);
        assertGt(_buyWithTheFloat(), 0, "neither");
    }

    /// Posts the days that nobody posted, all at the cap and in one block: seven days at 20 % APY, less the fee, are 0.34 %.
    function test_X6_RatePoster_PostsEveryMissingDayAtTheCapAtOnce() public {
        _deposit(alice, CAP);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        uint256 before = _value(alice);
        _goToDay(DAY_ZERO + 10);
        uint256 cap = delegate.maxDailyRate();
        for (uint256 day = DAY_ZERO + 3; day < DAY_ZERO + 10; ++day) {
            _post(day, cap);
        }
        _accrueAll(alice);
        uint256 gainWad = (_value(alice) - before) * WAD / before;
        assertApproxEqAbs(gainWad, 0.0034e18, 0.00005e18);
    }

    /// The fee is subtracted when a day is posted or corrected. It thus takes the yield of days that are over.
    function test_X6_IssuerAdminOfTheTreasury_SetsTheFeeOfDaysThatAreOver() public {
        _goToDayAndPost(DAY_ZERO + 3);
        _goToDay(DAY_ZERO + 5);
        vm.prank(issuer);
        delegate.setManagementFee(0.05e18);
        _post(DAY_ZERO + 3, RATE);
        assertEq(delegate.dailyRates(DAY_ZERO + 3), 0, "a day that was over and not posted");
        assertEq(delegate.dailyRates(DAY_ZERO + 2), RATE - FEE, "a posted day");
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO + 2, RATE);
        assertEq(delegate.dailyRates(DAY_ZERO + 2), 0, "the same day, corrected");
    }

    /// Anyone can fill the cap of an asset and take another one out, which frees no room. Deposits of the asset by
    /// others then revert until the sum has leaked, or the administrator raises the cap.
    function test_X6_Anyone_UsesUpAnIntakeCapAndIsPaidInAnotherAsset() public {
        _depositRWA(bob, CAP);
        _redeem(bob, CAP);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(2, note.id, trsy, trsy, ALL, 1e18);
        bytes memory refused =
            abi.encodeWithSelector(IStablecoinDelegateAdmin.IntakeCapExceeded.selector, address(note.token), 1e18, 0);
        vm.expectRevert(refused);
        _swapAs(alice, alice, leg);

        uint256 snapshot = vm.snapshotState();
        skip(12 hours);
        _depositRWA(alice, CAP / 2);
        vm.revertToState(snapshot);
        _setIntakeCap(address(delegate), address(note.token), 2 * CAP);
        _depositRWA(alice, CAP);
    }

    /// Moves to a new key within the delay, so that one of the removals in the batch reverts, and with it all others.
    function test_X6_IssuerAdmin_MakesABatchWithItsRemovalRevert() public forEachDelegate {
        _governByATimelock();
        (address[] memory targets, bytes[] memory payloads) = (new address[](2), new bytes[](2));
        (targets[0], targets[1]) = (address(delegate), address(delegate));
        payloads[0] = abi.encodeCall(IStablecoinDelegateAdmin.addIssuerAdmin, (second));
        payloads[1] = abi.encodeCall(IStablecoinDelegateAdmin.removeIssuerAdmin, (issuer));
        vm.prank(admin);
        timelock.scheduleBatch(targets, new uint256[](2), payloads, 0, 0, 1 days);
        _moveToAnotherKeyAndPause();

        skip(1 days);
        vm.prank(admin);
        vm.expectRevert(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector);
        timelock.executeBatch(targets, new uint256[](2), payloads, 0, 0);
        assertFalse(delegate.issuerAdmins(second));
        assertTrue(delegate.issuerAdmins(thief));
        assertTrue(delegate.paused());
    }

    /// What works: an administrator that acts without delay removes the keys that are on the list at that moment. The
    /// timelock grants it the role, and the grant does not depend on what the thief does meanwhile.
    function test_X6_IssuerAdmin_IsRemovedByAnAdministratorWithoutDelay() public forEachDelegate {
        _governByATimelock();
        address recovery = makeAddr("recovery multisig");
        bytes memory grant = abi.encodeCall(delegate.grantRole, (0, recovery));
        vm.prank(admin);
        timelock.schedule(address(delegate), 0, grant, 0, 0, 1 days);
        _moveToAnotherKeyAndPause();
        skip(1 days);
        vm.prank(admin);
        timelock.execute(address(delegate), 0, grant, 0, 0);

        vm.startPrank(recovery);
        delegate.removeIssuerAdmin(thief);
        delegate.addIssuerAdmin(second);
        delegate.renounceRole(0, recovery);
        vm.stopPrank();
        vm.prank(second);
        delegate.unpauseCore();
        assertFalse(delegate.paused());
        assertEq(delegate.getRoleMemberCount(0), 1, "the timelock alone");
    }

    /// Another issuer admin needs no delay, if it is faster than the thief.
    function test_X6_IssuerAdmin_IsRemovedByAnotherOneAtOnce() public forEachDelegate {
        vm.prank(issuer);
        delegate.addIssuerAdmin(second);
        vm.prank(second);
        delegate.removeIssuerAdmin(issuer);
        vm.prank(issuer);
        vm.expectRevert(IStablecoinDelegateAdmin.NotIssuerAdmin.selector);
        delegate.addIssuerAdmin(thief);
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

    /// Deposits as much of the asset as its cap, and asserts that nothing more comes in.
    function _depositUpTo(bytes32 id, address token, uint256 cap) private {
        (, uint256 available) = delegate.intakeCap(token);
        assertEq(available, cap);
        _swapAs(thief, thief, ICoreSwap.SwapInputs(id == note.id ? 1 : 7, id, trsy, trsy, cap, 0));
        _assertRefusesMore(id, token, 1_000);
    }

    function _assertRefusesMore(bytes32 id, address token, uint256 units) private {
        vm.expectRevert(abi.encodeWithSelector(IStablecoinDelegateAdmin.IntakeCapExceeded.selector, token, units, 0));
        _swapAs(thief, thief, ICoreSwap.SwapInputs(id == note.id ? 1 : 7, id, trsy, trsy, units, 0));
    }

    /// RWAs are in an account whose key is safe, and the stablecoin custody holds little.
    function _separateCustodies() private {
        _listCustody(address(usdc.delegate), rwaHolder);
        vm.prank(rwaHolder);
        usdc.delegate.acceptCustody();
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(rwaHolder);
        deal(address(bill.token), rwaHolder, RWAS);
        deal(address(usdc.token), usdc.custody, FLOAT);
        deal(address(usdc.token), thief, 0);
        deal(address(bill.token), thief, 0);
        vm.startPrank(operator);
        core.setProtocolFeeExempt(usdc.id, false);
        core.setIssuerPaidProtocolFeeRate(usdc.id, 0.0001e18);
        vm.stopPrank();
        vm.prank(thief);
        usdc.token.approve(address(usdc.delegate), ALL);
    }

    function _assertBuysAtMostTwoOwnCapsADay() private {
        _setIntakeCap(address(usdc.delegate), address(usdc.token), OWN_CAP);
        uint256 taken = _buyWithTheFloat();
        assertLe(_inUsdc(taken), OWN_CAP, "in one block");
        assertGt(_inUsdc(taken), uint256(OWN_CAP) * 8 / 10, "the cap is the bound");
        skip(1 days);
        taken += _buyWithTheFloat();
        assertLe(_inUsdc(taken), 2 * uint256(OWN_CAP), "in 24 hours");
        assertGt(_inUsdc(taken), uint256(OWN_CAP) * 16 / 10, "the cap is the bound again");
    }

    /// Units of USDC that BILL is worth.
    function _inUsdc(uint256 units) private view returns (uint256) {
        return units * bill.adapter.getPrice() / 1e30;
    }

    function _approveRWAs(uint256 amount) private {
        vm.prank(rwaHolder);
        bill.token.approve(address(usdc.delegate), amount);
    }

    /// Buys BILL again and again, with all USDC that the stolen custody holds, until a swap is refused. Returns the
    /// units of BILL bought. All of it is in one block.
    function _buyWithTheFloat() private returns (uint256 taken) {
        uint256 before = bill.token.balanceOf(thief);
        for (uint256 i = 0; i < 20 * ROUNDS; ++i) {
            uint256 held = usdc.token.balanceOf(usdc.custody);
            vm.prank(usdc.custody);
            usdc.token.transfer(thief, held);
            ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, held, 0);
            vm.prank(thief);
            (bool success,) = address(core).call(abi.encodeCall(core.swap, (thief, thief, _one(leg), _noPermit())));
            if (success) continue;
            vm.prank(thief);
            usdc.token.transfer(usdc.custody, held);
            break;
        }
        return bill.token.balanceOf(thief) - before;
    }

    /// A timelock with a delay of a day, which `admin` proposes to, is the only administrator.
    function _governByATimelock() private {
        address[] memory proposers = new address[](1);
        proposers[0] = admin;
        timelock = new TimelockController(1 days, proposers, proposers, address(0));
        vm.startPrank(admin);
        delegate.grantRole(0, address(timelock));
        delegate.renounceRole(0, admin);
        vm.stopPrank();
    }

    function _moveToAnotherKeyAndPause() private {
        vm.prank(issuer);
        delegate.addIssuerAdmin(thief);
        vm.startPrank(thief);
        delegate.removeIssuerAdmin(issuer);
        delegate.pauseCore();
        vm.stopPrank();
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
