// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    ERC20PermitUpgradeable
} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PermitUpgradeable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {TreasuryTest} from "test/helpers/TreasuryTest.sol";

/// @notice Tests the ERC-2612 permit and the ERC-5267 domain. The digest is computed here from the text of the
/// standards.
/// @dev Each run signs, which is slow.
/// forge-config: default.fuzz.runs = 1000
contract TreasuryPermitTest is TreasuryTest {
    struct Permit {
        address owner;
        address spender;
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    function test_WhenTheDomainIsRead() public view {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        ) = treasury.eip712Domain();
        assertEq(fields, hex"0f");
        assertEq(name, treasury.name());
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(verifyingContract, address(treasury));
        assertEq(salt, 0);
        assertEq(extensions.length, 0);
        assertEq(treasury.DOMAIN_SEPARATOR(), _domainSeparator(block.chainid, address(treasury)));
    }

    function testFuzz_WhenTheOwnerSigned_T10(uint256 value, uint256 validFor, bool isPaused) public {
        if (isPaused) _pause();
        uint256 deadline = bound(validFor, block.timestamp, type(uint256).max);
        Permit memory permit = _sign(ALICE_KEY, ALICE, value, deadline);
        State memory expected = _state();
        expected.nonces[ALICE_INDEX] += 1;
        expected.allowances[_allowanceIndex(ALICE_INDEX, SPENDER_INDEX)] = value;

        vm.expectEmit(address(treasury));
        emit IERC20.Approval(ALICE, SPENDER, value);
        _submit(permit);

        _assertState(expected);
    }

    function test_WhenTheOwnerSignedAndAllIsWatched_T10() public {
        Permit memory signed = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        _watchTreasury();
        _expectAnswer(address(treasury), abi.encodeCall(IERC20Permit.nonces, (ALICE)), 1);
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.allowance, (ALICE, SPENDER)), 10);
        _expectEvent(address(treasury));
        emit IERC20.Approval(ALICE, SPENDER, 10);
        bytes memory data = abi.encodeCall(
            IERC20Permit.permit,
            (signed.owner, signed.spender, signed.value, signed.deadline, signed.v, signed.r, signed.s)
        );
        _assertEffects(BOB, address(treasury), data);
    }

    function test_WhenThePermitIsFollowedByTransferFromAndBurnFrom_T10() public {
        _submit(_sign(ALICE_KEY, ALICE, 10, block.timestamp));
        vm.startPrank(SPENDER);
        assertTrue(treasury.transferFrom(ALICE, BOB, 4));
        treasury.burnFrom(ALICE, 6);
        vm.stopPrank();
        assertEq(treasury.allowance(ALICE, SPENDER), 0);
    }

    function test_RevertWhen_ThePermitIsReplayed_T10() public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        _submit(permit);
        _expectInvalidSigner(permit);
    }

    function test_RevertWhen_TheDeadlineIsOver_T10() public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        vm.warp(block.timestamp + 1);
        vm.expectRevert(
            abi.encodeWithSelector(ERC20PermitUpgradeable.ERC2612ExpiredSignature.selector, permit.deadline)
        );
        _submit(permit);
    }

    function test_RevertWhen_TheChainIsAnother_T10() public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        vm.chainId(block.chainid + 1);
        _expectInvalidSigner(permit);
    }

    function test_RevertWhen_TheContractIsAnother_T10() public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        treasury = _deploy(ADMIN);
        _expectInvalidSigner(permit);
    }

    function testFuzz_RevertWhen_AnyFieldIsChanged_T10(uint256 field, uint256 value) public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        field %= 4;
        if (field == 0) permit.owner = BOB;
        else if (field == 1) permit.spender = BRIDGE;
        else if (field == 2) permit.value = value == 10 ? 11 : value;
        else permit.deadline += 1;
        _expectInvalidSigner(permit);
    }

    function test_RevertWhen_AnotherAccountSigned_T10() public {
        (address mallory, uint256 malloryKey) = makeAddrAndKey("mallory");
        Permit memory permit = _sign(malloryKey, ALICE, 10, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(ERC20PermitUpgradeable.ERC2612InvalidSigner.selector, mallory, ALICE));
        _submit(permit);
    }

    function test_RevertWhen_TheSignatureIsMalleable_T10() public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        permit.s = bytes32(SECP256K1_ORDER - uint256(permit.s));
        permit.v = permit.v == 27 ? 28 : 27;
        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureS.selector, permit.s));
        _submit(permit);
    }

    function testFuzz_RevertWhen_TheRecoveryIdentifierIsBad_T10(uint8 v) public {
        vm.assume(v != 27 && v != 28);
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        permit.v = v;
        vm.expectRevert(ECDSA.ECDSAInvalidSignature.selector);
        _submit(permit);
    }

    function test_RevertWhen_TheSignatureIsShort_T10() public {
        Permit memory permit = _sign(ALICE_KEY, ALICE, 10, block.timestamp);
        bytes memory data = abi.encodeCall(
            IERC20Permit.permit,
            (permit.owner, permit.spender, permit.value, permit.deadline, permit.v, permit.r, permit.s)
        );
        bytes memory short = new bytes(data.length - 1);
        for (uint256 i; i < short.length; ++i) {
            short[i] = data[i];
        }
        State memory expected = _state();
        (bool success, bytes memory returned) = address(treasury).call(short);
        assertFalse(success);
        assertEq(returned, "", "rejected by ABI decoding");
        _assertState(expected);
    }

    /// @dev ecrecover returns the zero address for a bad signature. It must not be accepted for a zero owner.
    function test_RevertWhen_TheOwnerIsTheZeroAddress_T10() public {
        Permit memory permit = _sign(ALICE_KEY, address(0), 10, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(ERC20PermitUpgradeable.ERC2612InvalidSigner.selector, ALICE, address(0)));
        _submit(permit);
        permit.v = 0;
        vm.expectRevert(ECDSA.ECDSAInvalidSignature.selector);
        _submit(permit);
    }

    function _sign(uint256 key, address owner, uint256 value, uint256 deadline) private view returns (Permit memory) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, owner, SPENDER, value, treasury.nonces(owner), deadline));
        bytes32 separator = _domainSeparator(block.chainid, address(treasury));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", separator, structHash)));
        return Permit(owner, SPENDER, value, deadline, v, r, s);
    }

    function _domainSeparator(uint256 chainId, address verifyingContract) private pure returns (bytes32) {
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(typeHash, keccak256("Treasury"), keccak256("1"), chainId, verifyingContract));
    }

    function _submit(Permit memory permit) private {
        treasury.permit(permit.owner, permit.spender, permit.value, permit.deadline, permit.v, permit.r, permit.s);
    }

    /// @dev The digest differs from the signed one, so an unpredictable address is recovered.
    function _expectInvalidSigner(Permit memory permit) private {
        State memory expected = _state();
        vm.expectPartialRevert(ERC20PermitUpgradeable.ERC2612InvalidSigner.selector);
        _submit(permit);
        _assertState(expected);
    }
}
