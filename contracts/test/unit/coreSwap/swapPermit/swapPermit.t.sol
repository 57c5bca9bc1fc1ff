// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {PermitFixture} from "test/helpers/PermitFixture.sol";
import {DelegatedWalletSigner} from "test/helpers/signers/DelegatedWalletSigner.sol";
import {EOASigner} from "test/helpers/signers/EOASigner.sol";
import {OwnedWalletSigner} from "test/helpers/signers/OwnedWalletSigner.sol";
import {SafeOfOneSigner, SafeTwoOfThreeSigner} from "test/helpers/signers/SafeSigner.sol";
import {Simple7702Signer} from "test/helpers/signers/Simple7702Signer.sol";

/// Tests what a permit does and binds, for every kind of signer. A test that expects a refusal then submits the call as
/// it was signed, to show that only the change was the reason.
abstract contract CoreSwapSwapPermitTest is PermitFixture {
    function test_WhenTheUserSignedTheCall() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        if (account.code.length != 0) {
            bytes4 answer = IERC1271(account).isValidSignature(_digest(call), permit.signature);
            assertEq(answer, IERC1271.isValidSignature.selector, "the account's own check");
        }
        vm.prank(account);
        core.adjustSwapInputAllowance(broker, bill.id, 5, true);
        uint256 billBefore = bill.token.balanceOf(account);
        ICoreSwap.SwapResolved memory first = core.quoteSwap(account, call.legs[0]);
        ICoreSwap.SwapResolved memory second = core.quoteSwap(account, call.legs[1]);

        _submit(call, permit);

        assertEq(billBefore - bill.token.balanceOf(account), first.tokenInAmt + second.tokenInAmt, "paid");
        assertEq(usdc.token.balanceOf(receiver), first.tokenOutAmt, "received of the first leg");
        assertEq(bond.token.balanceOf(receiver), second.tokenOutAmt, "received of the second leg");
        assertEq(core.nonces(account), 1, "nonce");
        assertEq(core.swapInputAllowances(account, broker, bill.id), 5, "standing allowance");
    }

    function test_WhenTheUserSignedTwoCallsInARow() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory first = _permit(call);
        call.nonce = 1;
        ICoreSwap.ApprovalPermit memory second = _permit(call);
        _expectInvalid(call, second);
        _submit(call, first);
        _submit(call, second);
        assertEq(core.nonces(account), 2);
    }

    function test_RevertWhen_ThePermitIsSubmittedASecondTime_S11() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        _submit(call, permit);
        _expectInvalid(call, permit);
    }

    function testFuzz_RevertWhen_AnotherAccountSubmitsThePermitBeforeTheOperator_S11(address other) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.assume(other != broker);
        call.operator = other;
        _expectInvalid(call, permit);
        call.operator = broker;
        _submit(call, permit);
    }

    function testFuzz_RevertWhen_TheReceiverIsAnother_S11(address other) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.assume(other != receiver && other != address(0) && other != address(core));
        call.receiver = other;
        _expectInvalid(call, permit);
        call.receiver = receiver;
        _submit(call, permit);
    }

    function testFuzz_RevertWhen_TheUserIsAnother_S11(address other) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        other = uint160(other) % 2 == 0 ? twin : other;
        vm.assume(other != account && other != address(0));
        call.user = other;
        _expectInvalid(call, permit);
        call.user = account;
        _submit(call, permit);
    }

    function testFuzz_RevertWhen_AFieldOfALegIsAnother_S11(uint256 leg, uint256 field, uint256 difference) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        leg = bound(leg, 0, call.legs.length - 1);
        field = bound(field, 0, 5);
        difference = bound(difference, 1, type(uint256).max);
        _flip(call.legs[leg], field, difference);
        _expectInvalid(call, permit);
        _flip(call.legs[leg], field, difference);
        _submit(call, permit);
    }

    function test_RevertWhen_TheLegsAreInAnotherOrder_S11() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        (call.legs[0], call.legs[1]) = (call.legs[1], call.legs[0]);
        _expectInvalid(call, permit);
        (call.legs[0], call.legs[1]) = (call.legs[1], call.legs[0]);
        _submit(call, permit);
    }

    function test_RevertWhen_ALegIsMissing_S11() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        ICoreSwap.SwapInputs[] memory signed = call.legs;
        for (uint256 k = 0; k < signed.length; ++k) {
            call.legs = _one(signed[k]);
            _expectInvalid(call, permit);
        }
        call.legs = signed;
        _submit(call, permit);
    }

    function test_RevertWhen_ALegIsAdded_S11() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        ICoreSwap.SwapInputs[] memory signed = call.legs;
        call.legs = new ICoreSwap.SwapInputs[](3);
        (call.legs[0], call.legs[1], call.legs[2]) = (signed[0], signed[1], signed[1]);
        _expectInvalid(call, permit);
        call.legs = signed;
        _submit(call, permit);
    }

    function testFuzz_RevertWhen_TheNonceIsOneToCome_S11(uint256 nonce) public {
        Call memory call = _call();
        call.nonce = bound(nonce, 1, type(uint256).max);
        _expectInvalid(call, _permit(call));
        call.nonce = 0;
        _submit(call, _permit(call));
    }

    function testFuzz_RevertWhen_TheDeadlineIsAnother_S11(uint256 deadline) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        permit.deadline = bound(deadline, block.timestamp, type(uint256).max);
        if (permit.deadline == call.deadline) ++permit.deadline;
        _expectInvalid(call, permit);
        permit.deadline = call.deadline;
        _submit(call, permit);
    }

    function testFuzz_RevertWhen_ThePermitIsOfAnotherChain_S11(uint64 chainId) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        uint256 signedChainId = block.chainid;
        vm.assume(chainId != signedChainId && chainId != 0);
        vm.chainId(chainId);
        _expectInvalid(call, permit);
        // The same state on the other chain, as after a fork, accepts a permit for that chain.
        uint256 snapshot = vm.snapshotState();
        _submit(call, _permit(call));
        vm.revertToState(snapshot);
        vm.chainId(signedChainId);
        _submit(call, permit);
    }

    function test_RevertWhen_ThePermitIsOfAnotherProxyOfTheSameImplementation_S11() public {
        Call memory call = _call();
        address implementation = address(uint160(uint256(vm.load(address(core), ERC1967Utils.IMPLEMENTATION_SLOT))));
        bytes memory init = abi.encodeCall(CoreSwap.initialize, (admin, operator, vault));
        CoreSwap other = CoreSwap(address(new ERC1967Proxy(implementation, init)));
        ICoreSwap.ApprovalPermit memory forOther =
            ICoreSwap.ApprovalPermit(call.deadline, _signAs(account, _digest(call, block.chainid, address(other))));
        _expectInvalid(call, forOther);

        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.startPrank(broker);
        vm.expectRevert(ICoreSwap.InvalidSignature.selector);
        other.swap(account, receiver, call.legs, permit);
        // The other proxy has no assets. With a permit of its own, the call fails only at that.
        vm.expectRevert(ICoreSwap.RWANotAccepted.selector);
        other.swap(account, receiver, call.legs, forOther);
        vm.stopPrank();
        _submit(call, permit);
    }

    /// @dev The digest is the one that the twin has to sign, so that only the signing account differs.
    function test_RevertWhen_TheSignatureIsThatOfTheTwinOfTheUser_S12() public {
        Call memory call = _call();
        call.user = twin;
        ICoreSwap.ApprovalPermit memory permit =
            ICoreSwap.ApprovalPermit(call.deadline, _signAs(account, _digest(call)));
        _expectInvalid(call, permit);
        _submit(call, _permit(call));
        assertEq(core.nonces(twin), 1, "nonce of the twin");
        assertEq(core.nonces(account), 0, "nonce of the account");
    }

    function testFuzz_RevertWhen_TheSignatureIsCutShort_S12(uint256 length) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        bytes memory signature = permit.signature;
        permit.signature = new bytes(bound(length, 1, signature.length - 1));
        for (uint256 k = 0; k < permit.signature.length; ++k) {
            permit.signature[k] = signature[k];
        }
        _expectInvalid(call, permit);
        permit.signature = signature;
        _submit(call, permit);
    }

    function testFuzz_RevertWhen_TheSignatureIsOfAnotherDigest_S12(bytes32 digest) public {
        Call memory call = _call();
        vm.assume(digest != _digest(call));
        _expectInvalid(call, ICoreSwap.ApprovalPermit(call.deadline, _signAs(account, digest)));
        _submit(call, _permit(call));
    }

    function test_WhenTheUserHandedOutAPermitAndCancelsItByACallOfItsOwn() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory handedOut = _permit(call);
        Call memory own = _call();
        own.operator = own.receiver = account;
        own.legs = _one(_leg(1, 1e18, false));
        _submit(own, _permit(own));
        assertEq(core.nonces(account), 1, "nonce");
        _expectInvalid(call, handedOut);
    }

    function test_RevertWhen_TheUserSubmitsThePermitOfItsOperatorItself() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        call.operator = account;
        _expectInvalid(call, permit);
        assertEq(core.nonces(account), 0, "nonce");
        call.operator = broker;
        _submit(call, permit);
    }

    function test_GivenASwapWithThePermitFailedBefore() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.prank(operator);
        core.setRWAAcceptance(bill.id, address(0), address(bill.token), false);
        vm.expectRevert(ICoreSwap.RWANotAccepted.selector);
        _submit(call, permit);
        assertEq(core.nonces(account), 0, "nonce of the failed swap");
        vm.prank(operator);
        core.setRWAAcceptance(bill.id, address(0), address(bill.token), true);
        _submit(call, permit);
        assertEq(core.nonces(account), 1, "nonce");
    }

    function test_WhenTheTimeIsTheDeadline() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.warp(call.deadline);
        _submit(call, permit);
        assertEq(core.nonces(account), 1);
    }

    function testFuzz_RevertWhen_TheTimeIsAfterTheDeadline(uint256 time) public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.warp(bound(time, call.deadline + 1, type(uint64).max));
        vm.expectRevert(ICoreSwap.PermitExpired.selector);
        _submit(call, permit);
    }

    function test_RevertWhen_TheDeadlineSignedIsZero() public {
        Call memory call = _call();
        call.deadline = 0;
        ICoreSwap.ApprovalPermit memory permit = _permit(call);
        vm.expectRevert(ICoreSwap.PermitExpired.selector);
        _submit(call, permit);
    }

    function test_RevertWhen_ThereIsADeadlineThatPassedAndNoSignature() public {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory unsigned = ICoreSwap.ApprovalPermit(call.deadline, "");
        vm.prank(account);
        core.adjustSwapInputAllowance(broker, bill.id, type(uint256).max, true);
        vm.warp(call.deadline + 1);
        address[2] memory callers = [account, broker];
        for (uint256 k = 0; k < callers.length; ++k) {
            call.operator = callers[k];
            vm.expectRevert(ICoreSwap.PermitExpired.selector);
            _submit(call, unsigned);
        }
        ++unsigned.deadline;
        for (uint256 k = 0; k < callers.length; ++k) {
            call.operator = callers[k];
            _submit(call, unsigned);
        }
    }

    /// Flips bits of a field. Calling it again restores the field.
    function _flip(ICoreSwap.SwapInputs memory leg, uint256 field, uint256 bits) private pure {
        assembly {
            let slot := add(leg, mul(field, 0x20))
            mstore(slot, xor(mload(slot), bits))
        }
    }
}

// One contract for each kind of signer, with the tests above.
// solhint-disable no-empty-blocks

/// forge-config: default.fuzz.runs = 64
contract CoreSwapSwapPermitOfEOATest is CoreSwapSwapPermitTest, EOASigner {}

/// forge-config: default.fuzz.runs = 64
contract CoreSwapSwapPermitOfSafeOfOneTest is CoreSwapSwapPermitTest, SafeOfOneSigner {}

/// forge-config: default.fuzz.runs = 64
contract CoreSwapSwapPermitOfSafeTwoOfThreeTest is CoreSwapSwapPermitTest, SafeTwoOfThreeSigner {}

/// forge-config: default.fuzz.runs = 64
contract CoreSwapSwapPermitOfOwnedWalletTest is CoreSwapSwapPermitTest, OwnedWalletSigner {}

/// forge-config: default.evm_version = "prague"
/// forge-config: default.fuzz.runs = 64
contract CoreSwapSwapPermitOfSimple7702AccountTest is CoreSwapSwapPermitTest, Simple7702Signer {}

/// forge-config: default.evm_version = "prague"
/// forge-config: default.fuzz.runs = 64
contract CoreSwapSwapPermitOfDelegatedWalletTest is CoreSwapSwapPermitTest, DelegatedWalletSigner {}
