// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {PermitFixture} from "test/helpers/PermitFixture.sol";
import {EOASigner} from "test/helpers/signers/EOASigner.sol";

/// Tests ECDSA signatures of an EOA that differ from what its key made.
/// forge-config: default.fuzz.runs = 256
contract CoreSwapSwapPermitMalformedTest is PermitFixture, EOASigner {
    uint256 private constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    uint8 private v;
    bytes32 private r;
    bytes32 private s;

    function setUp() public override {
        super.setUp();
        (v, r, s) = vm.sign(_keyOf(account), _digest(_call()));
    }

    function testFuzz_RevertWhen_TheSignatureHasAByteTooMany(bytes1 more) public {
        _expectInvalid(abi.encodePacked(r, s, v, more));
    }

    function test_RevertWhen_TheSignatureIsTheCompactFormOf64Bytes() public {
        bytes32 vs = bytes32(uint256(s) | (uint256(v - 27) << 255));
        _expectInvalid(abi.encodePacked(r, vs));
    }

    function test_RevertWhen_TheSignatureIsAllZeros() public {
        _expectInvalid(new bytes(65));
    }

    function test_RevertWhen_TheSignatureIsInTheUpperHalfOfTheCurve() public {
        _expectInvalid(abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27)));
    }

    function testFuzz_RevertWhen_TheRecoveryValueIsNot27Or28(uint8 value) public {
        vm.assume(value != 27 && value != 28);
        _expectInvalid(abi.encodePacked(r, s, value));
    }

    function testFuzz_RevertWhen_TheSignatureIsRandom(bytes calldata signature) public {
        vm.assume(signature.length != 0);
        _expectInvalid(signature);
    }

    function testFuzz_RevertWhen_TheKeyIsAnother(uint256 key) public {
        key = boundPrivateKey(key);
        vm.assume(key != _keyOf(account));
        _expectInvalid(_ecdsa(key, _digest(_call())));
    }

    /// The call succeeds with the original signature, so only the signature was the reason.
    function _expectInvalid(bytes memory signature) private {
        Call memory call = _call();
        _expectInvalid(call, ICoreSwap.ApprovalPermit(call.deadline, signature));
        _submit(call, ICoreSwap.ApprovalPermit(call.deadline, abi.encodePacked(r, s, v)));
    }
}
