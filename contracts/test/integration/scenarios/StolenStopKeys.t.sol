// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../../helpers/AutoLiquidityFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// What stolen keys, and anybody, can stop without taking anything. SECURITY.md names these tests.
contract StolenStopKeysTest is AutoLiquidityFixture {
    uint96 private constant OWN_CAP = 200_000e6;

    address private thief = makeAddr("thief");
    address private rwaHolder = makeAddr("rwa custody");

    function setUp() public override {
        super.setUp();
        _admit(receiver);
        _admit(thief);
    }

    /// Unpausing alone is of no use while the thief still has the role: it pauses again. The batch that takes the role
    /// from it unpauses, too.
    function test_X6_ExternalPauser_PausesAgainUntilItLosesTheRole() public {
        TimelockController timelock = _governByATimelock();
        vm.prank(pauser);
        core.pause();
        vm.prank(operator);
        core.unpause();
        vm.prank(pauser);
        core.pause();

        (address[] memory targets, bytes[] memory payloads) = (new address[](2), new bytes[](2));
        (targets[0], targets[1]) = (address(core), address(core));
        payloads[0] = abi.encodeCall(core.revokeRole, (core.EXTERNAL_PAUSER_ROLE(), pauser));
        payloads[1] = abi.encodeCall(core.unpause, ());
        vm.startPrank(admin);
        timelock.scheduleBatch(targets, new uint256[](2), payloads, 0, 0, 1 days);
        skip(1 days);
        timelock.executeBatch(targets, new uint256[](2), payloads, 0, 0);
        vm.stopPrank();
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector, pauser, core.EXTERNAL_PAUSER_ROLE()
            )
        );
        vm.prank(pauser);
        core.pause();
        assertFalse(core.paused());
    }

    /// Whoever holds the role ends what another holder paused. What CoreSwap's pauser and an issuer admin stopped holds.
    function test_X6_Pauser_EndsPausesOfOthers_ButNotThatOfCoreSwapOrOfAnIssuerAdmin() public {
        bytes32 delegatePauser = delegate.PAUSE_ROLE();
        bytes32 treasuryPauser = treasury.PAUSER_ROLE();
        bytes32 corePauser = core.EXTERNAL_PAUSER_ROLE();
        vm.startPrank(admin);
        delegate.grantRole(delegatePauser, thief);
        treasury.grantRole(treasuryPauser, thief);
        core.grantRole(corePauser, thief);
        delegate.pause();
        treasury.pause();
        vm.stopPrank();
        vm.prank(pauser);
        core.pause();

        vm.startPrank(thief);
        delegate.unpause();
        treasury.unpause();
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector, thief, core.OPERATOR_ROLE()
            )
        );
        core.unpause();
        vm.stopPrank();
        assertFalse(delegate.paused());
        assertFalse(treasury.paused());
        assertTrue(core.paused());

        vm.prank(issuer);
        delegate.pauseCore();
        vm.expectRevert(IPausable.ExpectedPause.selector);
        vm.prank(thief);
        delegate.unpause();
        assertTrue(delegate.paused());
    }

    /// Taking the role from the thief does not take the account off the blacklist: only a holder of the role does that.
    function test_X6_BlacklisterOfCoreSwap_BarsACustodyUntilASuccessorTakesItOff() public {
        TimelockController timelock = _governByATimelock();
        _setBuffer(0);
        ICoreSwap.SwapInputs memory payout = _leg(2, 20_000e6, false);
        vm.prank(blacklister);
        core.setBlacklisted(usdc.custody, true);
        (bool success,) = _try(user, payout);
        assertFalse(success);

        address successor = makeAddr("successor");
        bytes32 role = core.BLACKLISTER_ROLE();
        (address[] memory targets, bytes[] memory payloads) = (new address[](2), new bytes[](2));
        (targets[0], targets[1]) = (address(core), address(core));
        payloads[0] = abi.encodeCall(core.revokeRole, (role, blacklister));
        payloads[1] = abi.encodeCall(core.grantRole, (role, successor));
        vm.startPrank(admin);
        timelock.scheduleBatch(targets, new uint256[](2), payloads, 0, 0, 1 days);
        skip(1 days);
        timelock.executeBatch(targets, new uint256[](2), payloads, 0, 0);
        vm.stopPrank();
        (success,) = _try(user, payout);
        assertFalse(success, "still barred");
        vm.prank(successor);
        core.setBlacklisted(usdc.custody, false);
        _swap(payout);
    }

    /// The vault off the whitelist: no leg of the treasury LP that pays a fee settles, redemptions included.
    function test_X6_WhitelisterOfTheTreasury_StopsDepositsAndRedemptions() public {
        _deposit(alice, 100e18);
        vm.prank(admin);
        treasury.removeFromWhitelist(vault);
        bytes memory refused = abi.encodeWithSelector(ITreasury.AccountNotWhitelisted.selector, vault);
        vm.expectRevert(refused);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 100e18, 0));
        vm.expectRevert(refused);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1e18));
    }

    /// The delegate on the blacklist: it spends the allowance of each redemption, prefunds included.
    function test_X6_BlacklisterOfTheTreasury_StopsRedemptionsAndPrefunds() public {
        _deposit(alice, 100e18);
        vm.prank(admin);
        treasury.addToBlacklist(address(delegate));
        bytes memory refused = abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, delegate);
        vm.expectRevert(refused);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 100e18, 0));
        _setBuffer(0);
        vm.expectRevert(refused);
        _swap(_leg(2, 20_000e6, false));
    }

    /// Fills the blacklist's filter, which is never cleared: from then on, each `transferFrom` reads one more slot.
    function test_X6_BlacklisterOfTheTreasury_MakesEveryTransferFromDearerForGood() public {
        address spender = makeAddr("spender");
        _deposit(alice, 100e18);
        vm.prank(alice);
        treasury.approve(spender, ALL);
        uint256 readsBefore = _readsOfTransferFrom(spender);
        address[] memory accounts = new address[](248);
        for (uint160 i = 0; i < accounts.length; ++i) {
            accounts[i] = address(248_000_000 + i);
        }
        vm.startPrank(admin);
        treasury.addToBlacklistBatch(accounts);
        treasury.removeFromBlacklistBatch(accounts);
        vm.stopPrank();
        assertEq(_readsOfTransferFrom(spender), readsBefore + 1);
    }

    /// Posts zero for the days that are missing, and accrues the holders in the same block. The correction reaches
    /// nobody any more.
    function test_X6_RatePoster_LocksAFalseRateInByAccruing() public {
        _deposit(alice, 100e18);
        _deposit(bob, 100e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        _accrueAll(bob);
        _goToDay(DAY_ZERO + 10);
        for (uint256 day = DAY_ZERO + 3; day < DAY_ZERO + 10; ++day) {
            _post(day, 0);
        }
        vm.prank(thief);
        _accrueAll(alice);
        uint256 before = _value(alice);
        for (uint256 day = DAY_ZERO + 3; day < DAY_ZERO + 10; ++day) {
            vm.prank(corrector);
            delegate.correctDailyRate(day, RATE);
        }
        _accrueAll(alice);
        _accrueAll(bob);
        assertEq(_value(alice), before, "accrued before the correction");
        assertGt(_value(bob), before, "not accrued before");
    }

    /// The pause stops accrual and redemptions, and not corrections: neither those of the thief nor, once it has lost the
    /// role, those of its successor.
    function test_X6_OperatorOfTheTreasuryDelegate_IsReplacedWhileThePauseKeepsItsRatesFromAccruing() public {
        _deposit(alice, 100e18);
        _goToDayAndPost(DAY_ZERO + 3);
        _accrueAll(alice);
        _goToDayAndPost(DAY_ZERO + 6);
        uint256 honest = _value(alice);
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO + 5, 0);
        assertLt(_value(alice), honest);

        vm.prank(admin);
        delegate.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        delegate.accrueInterest(alice, ALL, ALL);
        vm.prank(corrector);
        delegate.correctDailyRate(DAY_ZERO + 4, 0);
        address successor = makeAddr("successor");
        bytes32 role = delegate.OPERATOR_ROLE();
        vm.startPrank(admin);
        delegate.revokeRole(role, corrector);
        delegate.grantRole(role, successor);
        vm.stopPrank();
        vm.startPrank(successor);
        delegate.correctDailyRate(DAY_ZERO + 4, RATE);
        delegate.correctDailyRate(DAY_ZERO + 5, RATE);
        vm.stopPrank();
        vm.prank(admin);
        delegate.unpause();
        assertEq(_value(alice), honest);
        _accrueAll(alice);
        assertEq(_value(alice), honest);
    }

    /// Deposits another stablecoin and redeems for USDC, until the treasury LP has none. Payouts of USDC's LP that need
    /// its reserve then revert, until USDC come in again.
    function test_X6_Anyone_TakesTheStablecoinThatAReserveIsRedeemedFor() public {
        uint256 held = 300_000e6;
        deal(address(usdc.token), stablecoinCustody, held);
        _setBuffer(0);
        ICoreSwap.SwapInputs memory payout = _leg(2, 20_000e6, false);
        uint256 snapshot = vm.snapshotState();
        _swap(payout);
        vm.revertToState(snapshot);

        _deposit(thief, 400_000e18);
        _swapAs(thief, thief, ICoreSwap.SwapInputs(8, trsy, usdc.id, trsy, ALL, held - 1e6));
        (bool success,) = _try(user, payout);
        assertFalse(success);
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, usdc.id, trsy, trsy, 100_000e6, 0));
        _swap(payout);
    }

    /// Whoever swaps one RWA for another and back uses up what the custody approved, with a tenth of it and at the cost of
    /// the rates. What comes in frees the cap of what goes out. Nobody can then buy these RWAs, until the custody
    /// approves again.
    function test_X6_Anyone_UsesUpTheApprovalOfAnRWACustody() public {
        uint256 approved = 100_000e18;
        _listCustody(address(usdc.delegate), rwaHolder);
        vm.prank(rwaHolder);
        usdc.delegate.acceptCustody();
        RWA[2] memory rwas = [bill, bond];
        ICoreSwap.SwapInputs memory exchange = ICoreSwap.SwapInputs(5, bill.id, bond.id, usdc.id, approved, 0);
        uint256[2] memory approvals = [approved, core.quoteSwap(thief, exchange).tokenOutAmt];
        for (uint256 i = 0; i < 2; ++i) {
            rwas[i].token.mint(rwaHolder, 10 * approvals[i]);
            vm.prank(rwaHolder);
            rwas[i].token.approve(address(usdc.delegate), approvals[i]);
            vm.prank(thief);
            rwas[i].token.approve(address(usdc.delegate), ALL);
        }
        vm.startPrank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(rwaHolder);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        vm.stopPrank();
        deal(address(bill.token), thief, approved / 10);
        deal(address(bond.token), thief, 0);

        bool goesOn = true;
        for (uint256 i = 0; goesOn && i < 60; ++i) {
            (RWA memory sold, RWA memory bought) = i % 2 == 0 ? (bill, bond) : (bond, bill);
            uint256 amount = sold.token.balanceOf(thief);
            (goesOn,) = _try(thief, ICoreSwap.SwapInputs(5, sold.id, bought.id, usdc.id, amount, 0));
        }
        assertFalse(goesOn);
        assertLt(bill.token.allowance(rwaHolder, address(usdc.delegate)), approved / 5);
        ICoreSwap.SwapInputs memory purchase = ICoreSwap.SwapInputs(4, usdc.id, bill.id, usdc.id, ALL, approved / 5);
        (bool success,) = _try(user, purchase);
        assertFalse(success);
        vm.prank(rwaHolder);
        bill.token.approve(address(usdc.delegate), approved);
        _swap(purchase);
    }

    /// Whoever buys RWAs and sells them again has the custody sweep and prefund in turn. With a fifth of the reserve and at
    /// the cost of the rates, this uses up what CoreSwap may swap of the custody's treasury tokens. Payouts beyond the
    /// buffer then revert, although the reserve is there, until the custody allows more.
    function test_X6_Anyone_UsesUpTheAllowanceOfTheTreasuryToken() public {
        _setBuffer(0);
        _allow(trsy, RESERVE);
        deal(address(bill.token), thief, RESERVE / 5);
        deal(address(usdc.token), thief, 0);
        bill.token.mint(usdc.custody, 10 * RESERVE);
        vm.startPrank(thief);
        usdc.token.approve(address(usdc.delegate), ALL);
        bill.token.approve(address(usdc.delegate), ALL);
        vm.stopPrank();

        bool goesOn = true;
        for (uint256 i = 0; goesOn && i < 40; ++i) {
            uint256 amount = bill.token.balanceOf(thief);
            (goesOn,) = _try(thief, ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, amount, 0));
            if (!goesOn) break;
            _swapAs(thief, thief, ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, usdc.token.balanceOf(thief), 0));
        }
        assertFalse(goesOn);
        assertGt(treasury.balanceOf(usdc.custody), RESERVE * 9 / 10);
        ICoreSwap.SwapInputs memory payout = _leg(2, RESERVE / 4 / 1e12, false);
        (bool success, bytes memory reason) = _try(user, payout);
        assertFalse(success);
        assertEq(bytes4(reason), ICoreSwap.InsufficientSwapAllowance.selector);
        _allow(trsy, RESERVE);
        _swap(payout);
    }

    /// The cap of an LP's own stablecoin counts what comes in and not what goes out. Anyone uses it up by buying RWAs
    /// and selling them again, with a tenth of the cap and at the cost of the rates. Others then cannot buy.
    function test_X6_Anyone_UsesUpAnOwnIntakeCapWithATenthOfIt() public {
        _listCustody(address(usdc.delegate), rwaHolder);
        bill.token.mint(rwaHolder, 1_000_000e18);
        vm.startPrank(rwaHolder);
        usdc.delegate.acceptCustody();
        bill.token.approve(address(usdc.delegate), ALL);
        vm.stopPrank();
        vm.startPrank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(rwaHolder);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        vm.stopPrank();
        _setIntakeCap(address(usdc.delegate), address(usdc.token), OWN_CAP);
        _setBuffer(OWN_CAP);
        vm.startPrank(thief);
        usdc.token.approve(address(usdc.delegate), ALL);
        bill.token.approve(address(usdc.delegate), ALL);
        vm.stopPrank();
        deal(address(usdc.token), thief, OWN_CAP / 10);
        deal(address(bill.token), thief, 0);

        for (uint256 i = 0; i < 12; ++i) {
            (, uint256 available) = usdc.delegate.intakeCap(address(usdc.token));
            uint256 amount = usdc.token.balanceOf(thief);
            if (amount > available) amount = available;
            if (amount < 1e6) break;
            _swapAs(thief, thief, ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, amount, 0));
            uint256 bought = bill.token.balanceOf(thief);
            _swapAs(thief, thief, ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, bought, 0));
        }
        assertGt(usdc.token.balanceOf(thief), OWN_CAP / 10 * 95 / 100, "it lost the rates alone");
        (bool success, bytes memory reason) = _try(user, _buying(OWN_CAP / 10));
        assertFalse(success);
        assertEq(bytes4(reason), IStablecoinDelegateAdmin.IntakeCapExceeded.selector);
    }

    function _buying(uint256 amount) private view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, amount, 0);
    }

    function _try(address account, ICoreSwap.SwapInputs memory leg) private returns (bool, bytes memory) {
        vm.prank(account);
        return address(core).call(abi.encodeCall(core.swap, (account, account, _one(leg), _noPermit())));
    }

    function _readsOfTransferFrom(address spender) private returns (uint256 count) {
        vm.record();
        vm.prank(spender);
        treasury.transferFrom(alice, bob, 1);
        (bytes32[] memory reads,) = vm.accesses(address(treasury));
        for (uint256 i = 0; i < reads.length; ++i) {
            bool isFirst = true;
            for (uint256 k = 0; k < i; ++k) {
                if (reads[k] == reads[i]) isFirst = false;
            }
            if (isFirst) ++count;
        }
    }

    /// A timelock with a delay of a day, which `admin` proposes to, administers CoreSwap.
    function _governByATimelock() private returns (TimelockController timelock) {
        address[] memory proposers = new address[](1);
        proposers[0] = admin;
        timelock = new TimelockController(1 days, proposers, proposers, address(0));
        vm.startPrank(admin);
        core.grantRole(core.OPERATOR_ROLE(), address(timelock));
        core.grantRole(0, address(timelock));
        core.renounceRole(0, admin);
        vm.stopPrank();
    }
}
