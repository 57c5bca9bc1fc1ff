// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "../../helpers/CoreSwapFixture.sol";
import {CallbackToken} from "../../mocks/CallbackToken.sol";
import {Reenterer} from "../../mocks/Reenterer.sol";
import {SettablePriceAdapter} from "../../mocks/SettablePriceAdapter.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// S15: each contract that CoreSwap or a delegate calls tries to swap again during the call. Each hostile contract is
/// the user of the inner swap, so that only the guard can stop it.
contract ReentrancyScenariosTest is CoreSwapFixture {
    bytes4 private immutable REENTRANT = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;

    Reenterer private hostile;
    CallbackToken private hostileStablecoin;

    function setUp() public override {
        super.setUp();
        hostileStablecoin = new CallbackToken(6);
        hostile = new Reenterer(address(core), _id("HOSTILE"), address(hostileStablecoin));
        bill.token.mint(address(hostile), 1_000e18);
        vm.prank(address(hostile));
        bill.token.approve(address(usdc.delegate), type(uint256).max);
    }

    function test_S15_Scenario_AnERC777LikeTokenIn_CannotSwapAgain() public {
        _assertTokenCannotSwapAgain(true);
    }

    function test_S15_Scenario_AnERC777LikeTokenOut_CannotSwapAgain() public {
        _assertTokenCannotSwapAgain(false);
    }

    /// Quotes work during a transfer, and return the same as before and after it.
    function test_S15_Scenario_AQuoteInTheMiddleOfATransfer_IsThatOfBefore() public {
        CallbackToken token = _addCallbackToken();
        ICoreSwap.SwapInputs memory leg = _leg(5, 1_000e18, false);
        bytes memory before = abi.encode(core.quoteSwap(user, leg));
        token.setCallback(address(this), abi.encodeCall(this.requireQuote, (leg, before)));
        _swap(ICoreSwap.SwapInputs(1, _id("CALL"), usdc.id, usdc.id, 1_000e18, 0));
        assertEq(abi.encode(core.quoteSwap(user, leg)), before);
    }

    /// Called by the token during its transfer.
    function requireQuote(ICoreSwap.SwapInputs calldata leg, bytes calldata expected) external view {
        assertEq(abi.encode(core.quoteSwap(user, leg)), expected);
    }

    function test_S15_Scenario_APriceAdapter_CannotSwapAgain() public {
        vm.prank(operator);
        core.setRwaPriceAdapter(bill.id, address(hostile));
        _assertHostileCannotSwapAgain(_leg(1, 1e18, false), bytes32(WAD));
    }

    function test_S15_Scenario_AWhitelistAdapter_CannotSwapAgain() public {
        vm.prank(operator);
        core.setRwaWhitelistAdapter(bill.id, address(hostile));
        _assertHostileCannotSwapAgain(_leg(1, 1e18, false), bytes32(uint256(1)));
    }

    function test_S15_Scenario_ARiskDelegate_CannotSwapAgain() public {
        vm.prank(operator);
        core.setRWAAcceptance(bill.id, address(hostile), address(bill.token), true);
        _assertHostileCannotSwapAgain(_leg(1, 1e18, false), bytes32(uint256(1)));
    }

    function test_S15_Scenario_AGuardrailAdapter_CannotSwapAgain() public {
        vm.prank(operator);
        core.configureStablecoinGuardrail(usdc.id, address(hostile), 0.01e18, true);
        _assertHostileCannotSwapAgain(_leg(1, 1e18, false), bytes32(WAD));
    }

    function test_S15_Scenario_ADelegate_CannotSwapAgain() public {
        bytes32 id = _id("HOSTILE");
        vm.startPrank(operator);
        core.setStablecoinAcceptance(id, address(hostile), address(hostileStablecoin), true, false);
        core.setStablecoinUSDValue(id, WAD);
        vm.stopPrank();
        _assertHostileCannotSwapAgain(ICoreSwap.SwapInputs(1, bill.id, id, id, 1e18, 0), bytes32(uint256(1)));
    }

    /// If a wallet fails, there is no separate error: its signature is not accepted.
    function test_S15_Scenario_AnERC1271Wallet_CannotSwapAgain() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        hostile.setCall(address(core), _swapAgain(), bytes32(bytes4(0x1626ba7e)));
        ICoreSwap.ApprovalPermit memory permit =
            ICoreSwap.ApprovalPermit({deadline: block.timestamp, signature: hex"01"});
        vm.expectRevert(ICoreSwap.InvalidSignature.selector);
        vm.prank(broker);
        core.swap(address(hostile), receiver, _one(leg), permit);

        hostile.setCall(address(0), "", bytes32(bytes4(0x1626ba7e)));
        vm.prank(broker);
        core.swap(address(hostile), receiver, _one(leg), permit);
    }

    /// The receiver of a token with hooks is called after it has received the payout.
    function test_S15_Scenario_AReceiverWithAHook_CannotSwapAgain() public {
        CallbackToken token = _addCallbackToken();
        hostile.setCall(address(core), _swapAgain(), 0);
        token.setCallback(address(hostile), abi.encodeWithSignature("tokensReceived()"));
        vm.expectRevert(REENTRANT);
        vm.prank(user);
        core.swap(
            user,
            address(hostile),
            _one(ICoreSwap.SwapInputs(3, usdc.id, _id("CALL"), usdc.id, 1_000e6, 0)),
            _noPermit()
        );
    }

    function _assertTokenCannotSwapAgain(bool isIn) private {
        CallbackToken token = _addCallbackToken();
        token.setCallback(address(core), _swapAgainFor(address(token)));
        bill.token.mint(address(token), 1e18);
        vm.prank(address(token));
        bill.token.approve(address(usdc.delegate), 1e18);
        vm.expectRevert(REENTRANT);
        _swap(
            isIn
                ? ICoreSwap.SwapInputs(1, _id("CALL"), usdc.id, usdc.id, 1_000e18, 0)
                : ICoreSwap.SwapInputs(3, usdc.id, _id("CALL"), usdc.id, 1_000e6, 0)
        );
    }

    /// Asserts that the swap fails with the inner call, and succeeds with the same answer and no call.
    function _assertHostileCannotSwapAgain(ICoreSwap.SwapInputs memory leg, bytes32 answer) private {
        hostile.setCall(address(core), _swapAgain(), answer);
        vm.expectRevert(REENTRANT);
        _swap(leg);
        hostile.setCall(address(0), "", answer);
        _swap(leg);
    }

    function _swapAgain() private view returns (bytes memory) {
        return _swapAgainFor(address(hostile));
    }

    /// Returns a swap that would succeed outside, of an asset that no hostile contract serves.
    function _swapAgainFor(address account) private view returns (bytes memory) {
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, 1e18, 0);
        return abi.encodeCall(ICoreSwap.swap, (account, account, _one(leg), _noPermit()));
    }

    function _addCallbackToken() private returns (CallbackToken token) {
        token = new CallbackToken(18);
        vm.startPrank(operator);
        core.setRWAAcceptance(_id("CALL"), address(0), address(token), true);
        core.setRwaPriceAdapter(_id("CALL"), address(new SettablePriceAdapter(WAD)));
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
}
