// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../../helpers/AutoLiquidityFixture.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Vm} from "forge-std/Vm.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// What stays when a stablecoin gets another delegate, or an ID that was never accepted gets another token. SECURITY.md
/// names these tests.
contract ReplacedDelegateTest is AutoLiquidityFixture {
    address private newAdmin = makeAddr("issuer admin of the new delegate");
    BalanceSheetDelegate private replacement;

    /// CoreSwap keeps the rates and the auto-liquidity that the former delegate set. Custody, lists and caps are the
    /// delegate's, so that the new one has none.
    function test_X6_ANewDelegate_InheritsRatesAndAutoLiquidityAndNothingElse() public {
        _replace();
        assertEq(core.discountRates(usdc.id, bill.id), 0.0011e18, "rate");
        assertEq(core.stablecoinAcceptanceFees(usdc.id, address(usdx.token)), 0.0023e18, "rate by token");
        assertEq(core.autoLiquidityStablecoinIDs(usdc.id), trsy, "auto-liquidity");

        assertEq(replacement.stablecoinCustodyAddress(), address(0), "custody");
        assertFalse(replacement.rwaWhitelist(address(bill.token)), "list");
        (uint256 cap,) = replacement.intakeCap(address(bill.token));
        assertEq(cap, 0, "cap");
        (cap,) = replacement.intakeCap(address(usdc.token));
        assertEq(cap, type(uint96).max, "the own stablecoin has no cap until one is set");
        _listBill();
        vm.expectRevert(IStablecoinDelegateAdmin.SetRWACustodyAddress.selector);
        _swap(_leg(1, 1e18, false));
    }

    /// With the same custody, derived legs go on: nobody has to agree to them at the new delegate.
    function test_X6_ANewDelegateWithTheSameCustody_HasDerivedLegsAtOnce() public {
        _replace();
        _serveByTheSameCustody();
        _listBill();
        vm.prank(user);
        bill.token.approve(address(replacement), ALL);
        _setBuffer(0);
        Vm.Log[] memory swaps = _swapRecorded(_leg(2, 20_000e6, false));
        assertEq(swaps.length, 2, "prefund and requested leg");
    }

    /// The former delegate settles nothing and sets nothing. What the custody approved for it stays in the reach of its
    /// issuer admins and its cold storage, until the custody takes the approval back.
    function test_X6_AFormerDelegate_WithdrawsWhatTheCustodyStillApproves() public {
        address cold = makeAddr("cold storage of the former delegate");
        vm.prank(admin);
        usdc.delegate.addStablecoinColdStorageAddress(cold);
        _replace();
        vm.startPrank(usdc.issuerAdmin);
        vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
        usdc.delegate.setRWADiscountRate(bill.id, 0);
        vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
        usdc.delegate.setAutoLiquidityStablecoinID(0);
        usdc.delegate.withdrawStablecoin(cold, BUFFER / 2);
        vm.stopPrank();

        vm.prank(usdc.custody);
        usdc.token.approve(address(usdc.delegate), 0);
        vm.prank(usdc.issuerAdmin);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, usdc.delegate, 0, 1));
        usdc.delegate.withdrawStablecoin(cold, 1);
        assertEq(usdc.token.balanceOf(cold), BUFFER / 2);
    }

    /// An ID that was never accepted gets another token and delegate. The rates and the auto-liquidity of the first
    /// delegate stay.
    function test_X6_AnIDThatIsRegisteredAgain_InheritsRatesAndAutoLiquidity() public {
        bytes32 id = _id("NEW");
        (TestToken first, TestToken second) = (new TestToken("A", "A", 6), new TestToken("B", "B", 18));
        BalanceSheetDelegate former = _deployDelegate(id, address(first), newAdmin);
        vm.startPrank(operator);
        core.setStablecoinAcceptance(id, address(former), address(first), false, false);
        core.setStablecoinUSDValue(id, WAD);
        vm.stopPrank();
        vm.startPrank(newAdmin);
        former.setRWADiscountRate(bill.id, 0.99e18);
        former.setAutoLiquidityStablecoinID(trsy);
        vm.stopPrank();

        BalanceSheetDelegate latter = _deployDelegate(id, address(second), newAdmin);
        vm.prank(operator);
        core.setStablecoinAcceptance(id, address(latter), address(second), true, false);
        assertEq(core.discountRates(id, bill.id), 0.99e18);
        assertEq(core.autoLiquidityStablecoinIDs(id), trsy);
        vm.startPrank(newAdmin);
        latter.setRWADiscountRate(bill.id, 0);
        latter.setAutoLiquidityStablecoinID(0);
        vm.stopPrank();
        assertEq(core.discountRates(id, bill.id), 0);
        assertEq(core.autoLiquidityStablecoinIDs(id), 0);
    }

    function _replace() private {
        replacement = _deployDelegate(usdc.id, address(usdc.token), newAdmin);
        vm.prank(operator);
        core.setStablecoinAcceptance(usdc.id, address(replacement), address(usdc.token), true, false);
    }

    function _serveByTheSameCustody() private {
        _listCustody(address(replacement), usdc.custody);
        vm.startPrank(usdc.custody);
        replacement.acceptCustody();
        usdc.token.approve(address(replacement), ALL);
        vm.stopPrank();
        vm.startPrank(newAdmin);
        replacement.setRWACustodyAddress(usdc.custody);
        replacement.setStablecoinCustodyAddress(usdc.custody);
        vm.stopPrank();
    }

    function _listBill() private {
        _uncap(address(replacement), address(bill.token));
        vm.prank(newAdmin);
        replacement.whitelistRWA(address(bill.token), true);
    }
}
