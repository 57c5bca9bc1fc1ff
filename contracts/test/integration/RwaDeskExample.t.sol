// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {RwaDesk} from "../../../examples/solidity/RwaDesk.sol";
import {FeeOnTransferToken} from "../mocks/FeeOnTransferToken.sol";
import {DeployTest} from "./deploy/DeployTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";

/// @notice The contract of `examples/solidity` with what the deployment script deploys: USDX buys TBILL at a NAV of
/// 1.0523, which may be two days old. The LP's rate is 0.1 %, the issuer-paid fee 0.05 %.
contract RwaDeskExampleTest is DeployTest {
    bytes32 private constant USDX = "USDX";
    bytes32 private constant TBILL = "TBILL";
    bytes32 private constant TRSY = "TRSY";
    uint256 private constant START = 1_750_000_000;
    uint256 private constant DEADLINE = START + 10 days;
    uint256 private constant MAX_AGE_SECONDS = 2 days;
    uint256 private constant BUDGET = 50_000e6;
    uint256 private constant FUNDS = 80_000e6;
    uint256 private constant AMOUNT_IN = 10_000e6;
    /// 10,000,000,000 less 5,000,000 issuer-paid, less ceil(0.1 % of 9,995,000,000), over 1.0523, rounded down.
    uint256 private constant AMOUNT_OUT = 9_488_743_704;
    uint256 private constant STRAY = 7e6;

    address private immutable TREASURY = makeAddr("desk treasury");
    address private immutable TRADER = makeAddr("trader");
    address private operator;
    address private guardian;
    address private navPoster;

    CoreSwap private core;
    BalanceSheetDelegate private delegate;
    NavPriceAdapter private nav;
    TestToken private dollar;
    TestToken private bill;
    RwaDesk private desk;

    function setUp() public override {
        super.setUp();
        vm.warp(START);
        DeployConfig memory config = _example();
        config.rwas[0].maxAgeSeconds = MAX_AGE_SECONDS;
        Deployment memory deployment = script.deploy(config, DEPLOYER);
        (core, delegate, nav) = (deployment.coreSwap, deployment.delegates[0], deployment.navAdapters[0]);
        (dollar, bill) = (TestToken(deployment.stablecoinTokens[0]), TestToken(deployment.rwaTokens[0]));
        (operator, guardian, navPoster) = (config.roles.operator, config.roles.guardian, config.rwas[0].navPoster);
        bill.mint(config.stablecoins[0].rwaCustody, 1_000_000e6);
        dollar.mint(TREASURY, FUNDS);

        desk = new RwaDesk(core, TREASURY);
        vm.startPrank(TREASURY);
        desk.grantRole(desk.TRADER_ROLE(), TRADER);
        dollar.approve(address(desk), BUDGET);
        vm.stopPrank();
    }

    /* purchases */

    function test_BuyExactIn_PaysTheAmount_AndReceivesWhatWasQuoted() public {
        uint256 quoted = core.quoteSwap(address(desk), _leg(3, AMOUNT_IN, 0)).tokenOutAmt;
        assertEq(quoted, AMOUNT_OUT);
        vm.expectEmit(address(desk));
        emit RwaDesk.Bought(TRADER, USDX, TBILL, AMOUNT_IN, AMOUNT_OUT);
        // The bound is inclusive.
        assertEq(_buyExactIn(AMOUNT_OUT), AMOUNT_OUT);
        _assertSettled(AMOUNT_IN, AMOUNT_OUT, AMOUNT_IN);
    }

    function test_BuyExactOut_ReturnsWhatWasNotSpent() public {
        uint256 maxAmountIn = 10_100e6;
        uint256 quoted = core.quoteSwap(address(desk), _leg(4, type(uint256).max, AMOUNT_OUT)).tokenInAmt;
        vm.prank(TRADER);
        uint256 spent = desk.buyExactOut(USDX, TBILL, AMOUNT_OUT, maxAmountIn, DEADLINE);
        assertEq(spent, quoted);
        // Both ways round against the taker by at most a unit or two.
        assertApproxEqAbs(spent, AMOUNT_IN, 2);
        _assertSettled(spent, AMOUNT_OUT, maxAmountIn);
    }

    function test_BuyExactOut_AtItsBound_SpendsAllOfIt() public {
        uint256 quoted = core.quoteSwap(address(desk), _leg(4, type(uint256).max, AMOUNT_OUT)).tokenInAmt;
        vm.prank(TRADER);
        assertEq(desk.buyExactOut(USDX, TBILL, AMOUNT_OUT, quoted, DEADLINE), quoted);
        _assertSettled(quoted, AMOUNT_OUT, quoted);
    }

    function testFuzz_Buy_LeavesNothingBehind(uint256 amount, uint256 surplus) public {
        amount = bound(amount, 1e6, 20_000e6);
        surplus = bound(surplus, 0, 20_000e6);
        vm.startPrank(TRADER);
        uint256 received = desk.buyExactIn(USDX, TBILL, amount, 1, DEADLINE);
        uint256 most = core.quoteSwap(address(desk), _leg(4, type(uint256).max, received)).tokenInAmt + surplus;
        vm.assume(amount + most <= BUDGET);
        uint256 spent = desk.buyExactOut(USDX, TBILL, received, most, DEADLINE);
        vm.stopPrank();
        _assertSettled(amount + spent, 2 * received, amount + most);
    }

    /// Tokens that were sent by mistake are neither spent nor counted, and anyone can send them on to the treasury.
    function test_StrayTokens_AreNotPartOfAPurchase_AndGoToTheTreasury() public {
        dollar.mint(address(desk), STRAY);
        bill.mint(address(desk), STRAY);
        vm.prank(TRADER);
        uint256 spent = desk.buyExactOut(USDX, TBILL, AMOUNT_OUT, 10_100e6, DEADLINE);
        assertEq(dollar.balanceOf(TREASURY), FUNDS - spent);
        assertEq(dollar.balanceOf(address(desk)), STRAY);
        desk.rescue(dollar);
        desk.rescue(bill);
        assertEq(dollar.balanceOf(TREASURY), FUNDS - spent + STRAY);
        assertEq(bill.balanceOf(TREASURY), AMOUNT_OUT + STRAY);
    }

    /* refusals: each leaves everything as it was */

    function test_BuyExactIn_BelowItsBound_Reverts() public {
        vm.expectRevert(ICoreSwap.InsufficientRWAOutput.selector);
        _buyExactIn(AMOUNT_OUT + 1);
        _assertUntouched();
    }

    /// The bound that was met at the time of the quote is not met at the next NAV.
    function test_BuyExactIn_AfterAHigherNav_Reverts() public {
        vm.prank(navPoster);
        nav.postNav(1.0524e18);
        vm.expectRevert(ICoreSwap.InsufficientRWAOutput.selector);
        _buyExactIn(AMOUNT_OUT);
        _assertUntouched();
    }

    function test_BuyExactOut_AboveItsBound_Reverts() public {
        uint256 quoted = core.quoteSwap(address(desk), _leg(4, type(uint256).max, AMOUNT_OUT)).tokenInAmt;
        vm.expectRevert(ICoreSwap.InsufficientStablecoinInput.selector);
        vm.prank(TRADER);
        desk.buyExactOut(USDX, TBILL, AMOUNT_OUT, quoted - 1, DEADLINE);
        _assertUntouched();
    }

    /// CoreSwap settles this swap within the bound; one unit less arrives.
    function test_BuyExactIn_WhenLessArrivesThanWasSettled_Reverts() public {
        vm.etch(address(bill), address(new FeeOnTransferToken(6)).code);
        vm.expectRevert(abi.encodeWithSelector(RwaDesk.BoundMissed.selector, AMOUNT_OUT - 1, AMOUNT_OUT));
        _buyExactIn(AMOUNT_OUT);
        _assertUntouched();
        assertEq(_buyExactIn(AMOUNT_OUT - 1), AMOUNT_OUT - 1);
    }

    function test_Buy_WhileCoreSwapIsPaused_Reverts() public {
        vm.prank(operator);
        core.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        _buyExactIn(1);
        _assertUntouched();
        vm.prank(operator);
        core.unpause();
        assertEq(_buyExactIn(AMOUNT_OUT), AMOUNT_OUT);
    }

    /// Pausing an LP stops its swaps alone, with the same error.
    function test_Buy_WhileTheLpIsPaused_Reverts() public {
        vm.prank(guardian);
        delegate.pause();
        vm.expectRevert(IPausable.EnforcedPause.selector);
        _buyExactIn(1);
        _assertUntouched();
    }

    function test_Buy_AtAStalePrice_Reverts() public {
        vm.warp(START + MAX_AGE_SECONDS);
        assertEq(_buyExactIn(AMOUNT_OUT), AMOUNT_OUT);
        vm.warp(START + MAX_AGE_SECONDS + 1);
        vm.expectRevert(abi.encodeWithSelector(NavPriceAdapter.StaleNav.selector, START, MAX_AGE_SECONDS));
        _buyExactIn(1);
        _assertSettled(AMOUNT_IN, AMOUNT_OUT, AMOUNT_IN);
    }

    function test_Buy_AfterItsDeadline_Reverts() public {
        vm.prank(navPoster);
        nav.postNav(1.0523e18);
        vm.warp(START + 1 days);
        vm.prank(TRADER);
        desk.buyExactIn(USDX, TBILL, AMOUNT_IN, AMOUNT_OUT, START + 1 days);
        vm.expectRevert(ICoreSwap.PermitExpired.selector);
        vm.prank(TRADER);
        desk.buyExactIn(USDX, TBILL, AMOUNT_IN, AMOUNT_OUT, START + 1 days - 1);
        _assertSettled(AMOUNT_IN, AMOUNT_OUT, AMOUNT_IN);
    }

    function test_Buy_WithoutABoundOrDeadline_Reverts() public {
        vm.startPrank(TRADER);
        vm.expectRevert(RwaDesk.LimitRequired.selector);
        desk.buyExactIn(USDX, TBILL, AMOUNT_IN, 0, DEADLINE);
        vm.expectRevert(RwaDesk.LimitRequired.selector);
        desk.buyExactIn(USDX, TBILL, AMOUNT_IN, AMOUNT_OUT, 0);
        vm.expectRevert(RwaDesk.LimitRequired.selector);
        desk.buyExactOut(USDX, TBILL, 0, AMOUNT_IN, DEADLINE);
        vm.stopPrank();
        _assertUntouched();
    }

    function test_Buy_OfAnAssetThatIsNotOneOfItsKind_Reverts() public {
        vm.startPrank(TRADER);
        vm.expectRevert(abi.encodeWithSelector(RwaDesk.UnknownAsset.selector, USDX));
        desk.buyExactIn(USDX, USDX, AMOUNT_IN, 1, DEADLINE);
        vm.expectRevert(abi.encodeWithSelector(RwaDesk.UnknownAsset.selector, TBILL));
        desk.buyExactIn(TBILL, TBILL, AMOUNT_IN, 1, DEADLINE);
        vm.expectRevert(abi.encodeWithSelector(RwaDesk.YieldBearingStablecoin.selector, TRSY));
        desk.buyExactIn(TRSY, TBILL, AMOUNT_IN, 1, DEADLINE);
        vm.stopPrank();
        _assertUntouched();
    }

    function test_Buy_BeyondTheBudget_Reverts() public {
        bytes memory refusal =
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(desk), BUDGET, BUDGET + 1);
        vm.expectRevert(refusal);
        vm.prank(TRADER);
        desk.buyExactIn(USDX, TBILL, BUDGET + 1, 1, DEADLINE);
        _assertUntouched();
    }

    function test_Buy_ByOthersThanTraders_Reverts() public {
        bytes32 role = desk.TRADER_ROLE();
        address[2] memory others = [TREASURY, makeAddr("former trader")];
        vm.startPrank(TREASURY);
        desk.grantRole(role, others[1]);
        desk.revokeRole(role, others[1]);
        vm.stopPrank();
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory refusal =
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, others[i], role);
            vm.startPrank(others[i]);
            vm.expectRevert(refusal);
            desk.buyExactIn(USDX, TBILL, AMOUNT_IN, 1, DEADLINE);
            vm.expectRevert(refusal);
            desk.buyExactOut(USDX, TBILL, 1e6, AMOUNT_IN, DEADLINE);
            vm.stopPrank();
        }
        _assertUntouched();
    }

    function test_Constructor_RefusesZeroAddresses() public {
        vm.expectRevert(RwaDesk.ZeroAddress.selector);
        new RwaDesk(ICoreSwap(address(0)), TREASURY);
        vm.expectRevert(RwaDesk.ZeroAddress.selector);
        new RwaDesk(core, address(0));
    }

    function _buyExactIn(uint256 minAmountOut) private returns (uint256 received) {
        vm.prank(TRADER);
        return desk.buyExactIn(USDX, TBILL, AMOUNT_IN, minAmountOut, DEADLINE);
    }

    function _leg(uint256 routeId, uint256 amountIn, uint256 amountOut)
        private
        pure
        returns (ICoreSwap.SwapInputs memory leg)
    {
        return ICoreSwap.SwapInputs(routeId, USDX, TBILL, USDX, amountIn, amountOut);
    }

    function _assertUntouched() private view {
        _assertSettled(0, 0, 0);
    }

    /// Asserts all balances and allowances after purchases, for which `pulled` was taken from the treasury at first.
    function _assertSettled(uint256 spent, uint256 received, uint256 pulled) private view {
        assertEq(dollar.balanceOf(TREASURY), FUNDS - spent, "treasury's stablecoins");
        assertEq(bill.balanceOf(TREASURY), received, "treasury's RWAs");
        assertEq(dollar.allowance(TREASURY, address(desk)), BUDGET - pulled, "rest of the budget");
        assertEq(dollar.balanceOf(address(desk)), 0, "stablecoins left in the desk");
        assertEq(bill.balanceOf(address(desk)), 0, "RWAs left in the desk");
        assertEq(dollar.allowance(address(desk), address(delegate)), 0, "standing allowance of the delegate");
        assertEq(dollar.allowance(address(desk), address(core)), 0, "standing allowance of CoreSwap");
    }
}
