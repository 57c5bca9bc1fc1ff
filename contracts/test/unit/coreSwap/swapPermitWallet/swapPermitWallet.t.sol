// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {PermitFixture} from "test/helpers/PermitFixture.sol";
import {DelegatedEOASigner} from "test/helpers/signers/DelegatedEOASigner.sol";
import {SafeTwoOfThreeSigner} from "test/helpers/signers/SafeSigner.sol";
import {SIMPLE_7702_ACCOUNT} from "test/helpers/signers/Simple7702Signer.sol";
import {MisbehavingWallet} from "test/mocks/MisbehavingWallet.sol";

/// Tests wallets that refuse a signature in every possible way. The account of the fixture is a Safe.
contract CoreSwapSwapPermitWalletTest is PermitFixture, SafeTwoOfThreeSigner {
    /// Far below a block's gas. If the wallet burns all but a 64th, enough remains to revert with a reason.
    uint256 private constant GAS = 1_000_000;

    function test_RevertGiven_TheWalletReverts_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.Revert);
    }

    function test_RevertGiven_TheWalletRevertsWithTheMagicValue_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.RevertWithMagic);
    }

    function test_RevertGiven_TheWalletBurnsAllItsGas_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.BurnGas);
    }

    function test_RevertGiven_TheWalletNeverEnds_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.LoopForever);
    }

    function test_RevertGiven_TheWalletTriesToWriteState_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.WriteState);
    }

    function test_RevertGiven_TheWalletReturnsAnotherValue_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.WrongMagic);
    }

    function test_RevertGiven_TheWalletReturnsTheMagicValueWithADirtyTail_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.DirtyMagic);
    }

    function test_RevertGiven_TheWalletReturnsTheMagicValueInTheLowBytes_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.ShiftedMagic);
    }

    function test_RevertGiven_TheWalletReturns31Bytes_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.ShortAnswer);
    }

    function test_RevertGiven_TheWalletReturnsNothing_S12() public {
        _expectInvalid(MisbehavingWallet.Mode.NoAnswer);
    }

    function test_RevertGiven_TheWalletReturnsAMegabyte_S12() public {
        // The wallet's own memory costs 2.2 million gas; a copy of it would cost as much again.
        _expectInvalidOf(address(new MisbehavingWallet(MisbehavingWallet.Mode.HugeAnswer)), 3_000_000);
    }

    function test_RevertGiven_TheUserIsAContractThatKnowsNoSignatures_S12() public {
        _expectInvalidOf(address(bill.token), GAS);
    }

    function test_RevertGiven_TheUserIsASimple7702AccountThatNobodyHasTheKeyOf_S12() public {
        (, uint256 key) = makeAddrAndKey("deployer");
        Call memory call = _call();
        call.user = deployCode(SIMPLE_7702_ACCOUNT);
        _expectInvalid(call, ICoreSwap.ApprovalPermit(call.deadline, _ecdsa(key, _digest(call))));
        _expectInvalidOf(call.user, GAS);
    }

    function test_RevertGiven_ASafeOfTwoOwnersInThreeAndTheSignatureOfOne_S12() public {
        Call memory call = _call();
        _expectInvalid(call, ICoreSwap.ApprovalPermit(call.deadline, _signAsOwners(account, _digest(call), 1)));
    }

    function test_RevertGiven_ASafeOfTwoOwnersInThreeAndOneSignatureTwice_S12() public {
        Call memory call = _call();
        bytes memory one = _signAsOwners(account, _digest(call), 1);
        _expectInvalid(call, ICoreSwap.ApprovalPermit(call.deadline, abi.encodePacked(one, one)));
    }

    function test_RevertGiven_ASafeWhoseOwnersApprovedTheMessageOnChainAndNoSignature() public {
        Call memory call = _call();
        _approveOnChain(account, _digest(call));
        vm.expectRevert(ICoreSwap.InsufficientSwapAllowance.selector);
        _submit(call, ICoreSwap.ApprovalPermit(call.deadline, ""));
    }

    function _expectInvalid(MisbehavingWallet.Mode mode) private {
        _expectInvalidOf(address(new MisbehavingWallet(mode)), GAS);
    }

    function _expectInvalidOf(address user_, uint256 gasLimit) private {
        Call memory call = _call();
        ICoreSwap.ApprovalPermit memory permit = ICoreSwap.ApprovalPermit(call.deadline, new bytes(65));
        vm.expectRevert(ICoreSwap.InvalidSignature.selector);
        vm.prank(call.operator);
        core.swap{gas: gasLimit}(user_, call.receiver, call.legs, permit);
    }
}

/// forge-config: default.evm_version = "prague"
contract CoreSwapSwapPermitRefusingDelegationTest is PermitFixture, DelegatedEOASigner {
    function test_GivenAnEOAThatDelegatesToAWalletThatRefusesEverything() public {
        Call memory call = _call();
        _submit(call, _permit(call));
        assertEq(core.nonces(account), 1);
    }

    function _createImplementation() internal override returns (address implementation) {
        return address(new MisbehavingWallet(MisbehavingWallet.Mode.Revert));
    }
}
