// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../interfaces/ICoreSwap.sol";
import {CoreSwapStorage} from "../storage/CoreSwapStorage.sol";
import {NoncesUpgradeable} from "@openzeppelin/contracts-upgradeable/utils/NoncesUpgradeable.sol";
import {EIP712Upgradeable} from "@openzeppelin/contracts-upgradeable/utils/cryptography/EIP712Upgradeable.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title CoreSwapAuthorization
/// @notice Who may swap for whom: the user itself, a caller with the user's EIP-712 signature over the whole call, or a
/// caller with a standing input allowance.
abstract contract CoreSwapAuthorization is ICoreSwap, CoreSwapStorage, EIP712Upgradeable, NoncesUpgradeable {
    /// @notice EIP-712 type hash of one leg.
    bytes32 internal constant SWAP_INPUTS_TYPEHASH = keccak256(
        "SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)"
    );

    /// @notice EIP-712 type hash of one call of {ICoreSwap.swap}.
    bytes32 internal constant SWAP_TYPEHASH = keccak256(
        "Swap(address user,address operator,address receiver,SwapInputs[] inputs,uint256 nonce,uint256 deadline)SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)"
    );

    /// @inheritdoc ICoreSwap
    function adjustSwapInputAllowance(address operator, bytes32 assetInID, uint256 amount, bool increase) external {
        mapping(bytes32 assetID => uint256) storage allowances =
            _coreSwapStorage().swapInputAllowances[msg.sender][operator];
        uint256 current = allowances[assetInID];
        uint256 adjusted = increase ? Math.saturatingAdd(current, amount) : Math.saturatingSub(current, amount);
        allowances[assetInID] = adjusted;
        emit SwapInputAllowanceSet(msg.sender, operator, assetInID, adjusted);
    }

    /// @inheritdoc ICoreSwap
    function swapInputAllowances(address user, address operator, bytes32 assetInID)
        external
        view
        returns (uint256 amount)
    {
        return _coreSwapStorage().swapInputAllowances[user][operator][assetInID];
    }

    // solhint-disable func-name-mixedcase

    /// @inheritdoc ICoreSwap
    function DOMAIN_SEPARATOR() external view returns (bytes32 separator) {
        return _domainSeparatorV4();
    }

    // solhint-enable func-name-mixedcase

    /// @dev Checks that the caller may swap for the user, and uses the user's nonce when there is a signature. Returns
    /// true when every leg has to spend the caller's standing allowance.
    function _authorize(address user, address receiver, SwapInputs[] calldata inputs, ApprovalPermit calldata permit)
        internal
        returns (bool spendsAllowance)
    {
        bool isSigned = permit.signature.length != 0;
        // Zero means no deadline only without a signature. With one, it is a time like any other.
        // forge-lint: disable-next-line(block-timestamp)
        if ((isSigned || permit.deadline != 0) && block.timestamp > permit.deadline) revert PermitExpired();
        if (!isSigned) return msg.sender != user;

        bytes32 structHash = keccak256(
            abi.encode(SWAP_TYPEHASH, user, msg.sender, receiver, _hashInputs(inputs), _useNonce(user), permit.deadline)
        );
        if (!_isSignedBy(user, _hashTypedDataV4(structHash), permit.signature)) revert InvalidSignature();
        return false;
    }

    /// @dev Reduces the operator's standing allowance by the realized input of a leg, `amount` in token units.
    function _spendSwapInputAllowance(address user, address operator, bytes32 assetInID, uint256 amount) internal {
        mapping(bytes32 assetID => uint256) storage allowances = _coreSwapStorage().swapInputAllowances[user][operator];
        uint256 remaining = allowances[assetInID];
        if (remaining < amount) revert InsufficientSwapAllowance();
        if (remaining != type(uint256).max) {
            remaining -= amount;
            allowances[assetInID] = remaining;
        }
        emit SwapInputAllowanceSpent(user, operator, assetInID, amount, remaining);
    }

    /// @dev The domain name is a constant: it needs no initializer and no storage.
    // solhint-disable-next-line func-name-mixedcase
    function _EIP712Name() internal pure override returns (string memory name) {
        return "CoreSwap";
    }

    /// @dev The domain version is a constant like the name.
    // solhint-disable-next-line func-name-mixedcase
    function _EIP712Version() internal pure override returns (string memory version) {
        return "1";
    }

    /// @dev Returns whether an account signed a digest. ECDSA is tried first, whether or not the account has code, so
    /// that an EOA which delegates to code (EIP-7702) can still sign with its key; then ERC-1271. `signature` is an
    /// ECDSA signature, or whatever the account's `isValidSignature` accepts.
    function _isSignedBy(address signer, bytes32 digest, bytes calldata signature) private view returns (bool isValid) {
        (address recovered, ECDSA.RecoverError err,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (err == ECDSA.RecoverError.NoError && recovered == signer) return true;
        return signer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }

    /// @dev EIP-712 encoding of the legs: the hash of their concatenated struct hashes.
    function _hashInputs(SwapInputs[] calldata inputs) private pure returns (bytes32 digest) {
        bytes32[] memory hashes = new bytes32[](inputs.length);
        for (uint256 i = 0; i < inputs.length; ++i) {
            hashes[i] = keccak256(abi.encode(SWAP_INPUTS_TYPEHASH, inputs[i]));
        }
        return keccak256(abi.encodePacked(hashes));
    }
}
