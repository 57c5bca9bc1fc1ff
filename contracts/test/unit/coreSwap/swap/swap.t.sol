// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {CallbackToken} from "test/mocks/CallbackToken.sol";
import {CapRiskDelegate} from "test/mocks/CapRiskDelegate.sol";
import {FeeOnTransferToken} from "test/mocks/FeeOnTransferToken.sol";
import {NestedSwapper} from "test/mocks/NestedSwapper.sol";
import {SettablePriceAdapter} from "test/mocks/SettablePriceAdapter.sol";
import {SettableWhitelistAdapter} from "test/mocks/SettableWhitelistAdapter.sol";

/// Tests the checks of a swap beyond its quote, the outcome of the settlement, batches, nesting and reentrancy.
contract CoreSwapSwapTest is CoreSwapTest {
    function test_RevertGiven_CoreSwapIsPaused() public {
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

    function test_RevertWhen_ThereIsNoLegOrOneTooMany() public {
        vm.startPrank(user);
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.swap(user, receiver, new ICoreSwap.SwapInputs[](0), _noPermit());
        vm.expectRevert(ICoreSwap.InvalidLegCount.selector);
        core.swap(user, receiver, _repeat(_leg(1, 1e18, false), 11), _noPermit());
        core.swap(user, receiver, _repeat(_leg(1, 1e18, false), 10), _noPermit());
        vm.stopPrank();
    }

    function test_RevertWhen_TheUserOrTheReceiverIsZeroOrTheReceiverIsCoreSwap() public {
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

    function test_RevertWhen_TheUserOrTheReceiverOrTheCallerIsBlacklisted_S18() public {
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

    function test_RevertWhen_TheBoundOfAnExactInputIsMissedByOne_S9() public {
        for (uint256 routeId = 1; routeId <= 7; routeId += 2) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 1_000e18, false);
            leg.assetOutAmt = core.quoteSwap(user, leg).tokenOutAmt + 1;
            vm.expectRevert(_outputError(routeId));
            _swap(leg);
        }
    }

    function test_RevertWhen_TheBoundOfAnExactOutputIsMissedByOne_S9() public {
        for (uint256 routeId = 2; routeId <= 8; routeId += 2) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, 1_000e6, false);
            leg.assetInAmt = core.quoteSwap(user, leg).tokenInAmt - 1;
            vm.expectRevert(_inputError(routeId));
            _swap(leg);
        }
    }

    function test_WhenTheBoundIsMetExactly_S9() public {
        for (uint256 routeId = 1; routeId <= 8; ++routeId) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, routeId % 2 == 1 ? 1_000e18 : 1_000e6, false);
            if (routeId == 3) leg.assetInAmt = 1_000e6;
            ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, leg);
            if (routeId % 2 == 1) leg.assetOutAmt = quote.tokenOutAmt;
            else leg.assetInAmt = quote.tokenInAmt;
            uint256 before = _tokenOf(leg.assetOutID).balanceOf(receiver);
            _swap(leg);
            assertEq(_tokenOf(leg.assetOutID).balanceOf(receiver) - before, quote.tokenOutAmt);
        }
    }

    function test_GivenTheRWAInHasAWhitelistAdapter() public {
        SettableWhitelistAdapter register = new SettableWhitelistAdapter();
        vm.prank(operator);
        core.setRwaWhitelistAdapter(bill.id, address(register));
        register.set(receiver, true);
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        vm.expectRevert(abi.encodeWithSelector(ICoreSwap.UserNotWhitelisted.selector, bill.id, user));
        _swap(leg);
        register.set(user, true);
        _swap(leg);
        register.set(user, false);
        vm.prank(operator);
        core.setRwaWhitelistAdapter(bill.id, address(0));
        _swap(leg);
    }

    function test_GivenTheRWAOutHasAWhitelistAdapter() public {
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

    function test_GivenBothRWAsHaveRiskDelegates() public {
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

        // Both refuse 1,000 now. 500 are refused by that of the RWA out alone, and the count of the other side is undone.
        vm.expectRevert(ICoreSwap.RWAValidityCheckFailed.selector);
        _swap(leg);
        leg = _leg(5, 500e18, false);
        vm.expectRevert(ICoreSwap.RWAValidityCheckFailed.selector);
        _swap(leg);
        assertEq(riskIn.capIn(), 500e18);
    }

    /// The answer of the RWA out does not replace a refusal of the RWA in.
    function test_RevertWhen_TheRiskDelegateOfTheRWAInRefusesAlone() public {
        CapRiskDelegate riskIn = new CapRiskDelegate(address(core), 1_000e18 - 1, 0);
        CapRiskDelegate riskOut = new CapRiskDelegate(address(core), 0, type(uint256).max);
        vm.startPrank(operator);
        core.setRWAAcceptance(bill.id, address(riskIn), address(bill.token), true);
        core.setRWAAcceptance(bond.id, address(riskOut), address(bond.token), true);
        vm.stopPrank();
        vm.expectRevert(ICoreSwap.RWAValidityCheckFailed.selector);
        _swap(_leg(5, 1_000e18, false));
        _swap(_leg(5, 1_000e18 - 1, false));
    }

    function test_RevertWhen_TheRWAInTakesAFeeOnTransfer() public {
        RWA memory fee = _addToken(new FeeOnTransferToken(18));
        vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
        _swap(ICoreSwap.SwapInputs(1, fee.id, usdc.id, usdc.id, 1_000e18, 0));
        vm.expectRevert(ICoreSwap.FailedToDeployRWA.selector);
        _swap(ICoreSwap.SwapInputs(5, fee.id, bond.id, usdc.id, 1_000e18, 0));
    }

    function test_RevertWhen_TheStablecoinInTakesAFeeOnTransfer() public {
        TestToken token = new FeeOnTransferToken(6);
        // The fixture's token of that stablecoin now takes a fee. Its record does not change.
        vm.etch(address(usdc.token), address(token).code);
        vm.expectRevert(ICoreSwap.FailedToDeployRWA.selector);
        _swap(_leg(3, 1_000e6, false));
        vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, 1_000e6, 0));
        vm.expectRevert(ICoreSwap.FailedToDeployStablecoin.selector);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdx.id, 1_000e6, 0));
    }

    function test_RevertWhen_TheTokenInSwapsInTheMiddleOfItsTransfer_S15() public {
        CallbackToken token = new CallbackToken(18);
        RWA memory hostile = _addToken(token);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, hostile.id, usdc.id, usdc.id, 1_000e18, 0);
        token.setCallback(
            address(core), abi.encodeCall(ICoreSwap.swap, (address(token), address(token), _one(leg), _noPermit()))
        );
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        _swap(leg);
    }

    function test_RevertWhen_TheTokenOutSwapsInTheMiddleOfItsTransfer_S15() public {
        CallbackToken token = new CallbackToken(18);
        RWA memory hostile = _addToken(token);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(3, usdc.id, hostile.id, usdc.id, 1_000e6, 0);
        token.setCallback(
            address(core), abi.encodeCall(ICoreSwap.swap, (address(token), address(token), _one(leg), _noPermit()))
        );
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        _swap(leg);
    }

    function test_WhenTheLegsAreABatch_S14() public {
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

    function test_RevertWhen_ALegOfABatchFails_S14() public {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = _leg(1, 1_000e18, false);
        legs[1] = _leg(4, 0, false);
        bytes32 before = _fingerprint();
        vm.expectRevert(ICoreSwap.InsufficientRWAOutput.selector);
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        assertEq(_fingerprint(), before);
    }

    function test_WhenALaterLegSpendsWhatAnEarlierOneBrought() public {
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

    function test_WhenTheUserIsAContractThatSwapsForAnother() public {
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

    /// The tests of `settlement` cover the transfers on other routes. This test states storage and events of all
    /// contracts for one route.
    function test_WhenASelfCallSettlesRoute1() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 1_000e18, false);
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, leg);
        _watchCore();
        _expectMoves(leg, quote);
        _expectEvent(address(core));
        _emitSwap(leg, quote, user);
        _assertEffects(user, address(core), abi.encodeCall(ICoreSwap.swap, (user, receiver, _one(leg), _noPermit())));
    }

    function test_RevertWhen_TheAllowanceOfTheOperatorIsOneUnitLess_S13() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 1_000e6, false);
        uint256 allowance = core.quoteSwap(user, leg).tokenInAmt - 1;
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, allowance, true);
        bytes memory data = abi.encodeCall(ICoreSwap.swap, (user, receiver, _one(leg), _noPermit()));
        _assertRevert(broker, address(core), data, ICoreSwap.InsufficientSwapAllowance.selector);
    }

    function test_WhenAnOperatorSpendsAnAllowance_S13() public {
        ICoreSwap.SwapInputs memory leg = _leg(2, 1_000e6, false);
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, leg);
        vm.prank(user);
        core.adjustSwapInputAllowance(broker, bill.id, quote.tokenInAmt + 7, true);
        _watchCore();
        bytes memory allowance = abi.encodeCall(ICoreSwap.swapInputAllowances, (user, broker, bill.id));
        _expectAnswer(address(core), allowance, 7);
        _expectEvent(address(core));
        emit ICoreSwap.SwapInputAllowanceSpent(user, broker, bill.id, quote.tokenInAmt, 7);
        _expectMoves(leg, quote);
        _expectEvent(address(core));
        _emitSwap(leg, quote, broker);
        _assertEffects(broker, address(core), abi.encodeCall(ICoreSwap.swap, (user, receiver, _one(leg), _noPermit())));
    }

    /// `bill` in, `usdc` out: the transfers of the delegate, in its order.
    function _expectMoves(ICoreSwap.SwapInputs memory leg, ICoreSwap.SwapResolved memory quote) private {
        assertEq(leg.assetInID, bill.id);
        assertEq(leg.assetOutID, usdc.id);
        uint256 fee = quote.issuerFeeAmt + quote.spreadFeeAmt;
        _expectBalance(bill.token, user, bill.token.balanceOf(user) - quote.tokenInAmt);
        _expectBalance(bill.token, usdc.custody, bill.token.balanceOf(usdc.custody) + quote.tokenInAmt);
        _expectBalance(usdc.token, usdc.custody, usdc.token.balanceOf(usdc.custody) - quote.tokenOutAmt - fee);
        _expectBalance(usdc.token, receiver, usdc.token.balanceOf(receiver) + quote.tokenOutAmt);
        _expectBalance(usdc.token, vault, usdc.token.balanceOf(vault) + fee);
        _expectEvent(address(bill.token));
        emit IERC20.Transfer(user, usdc.custody, quote.tokenInAmt);
        _expectEvent(address(usdc.token));
        emit IERC20.Transfer(usdc.custody, receiver, quote.tokenOutAmt);
        _expectEvent(address(usdc.token));
        emit IERC20.Transfer(usdc.custody, vault, fee);
    }

    function _expectBalance(TestToken token, address account, uint256 balance) private {
        _expectAnswer(address(token), abi.encodeCall(token.balanceOf, (account)), balance);
    }

    function _emitSwap(ICoreSwap.SwapInputs memory leg, ICoreSwap.SwapResolved memory quote, address caller) private {
        emit ICoreSwap.Swap(
            user,
            leg.assetInID,
            leg.assetOutID,
            caller,
            receiver,
            leg.routeId,
            leg.stablecoinDelegateID,
            quote.tokenInAmt,
            quote.tokenOutAmt,
            quote.issuerFeeAmt,
            quote.spreadFeeAmt,
            quote.lpFeeAmt
        );
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
        _uncap(address(usdc.delegate), address(token));
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
