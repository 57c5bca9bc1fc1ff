// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Signer} from "./Signer.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// The functions of a Safe and its factory that the tests call.
interface ISafe {
    function setup(
        address[] calldata owners,
        uint256 threshold,
        address to,
        bytes calldata data,
        address fallbackHandler,
        address paymentToken,
        uint256 payment,
        address payable paymentReceiver
    ) external;

    function execTransaction(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation,
        uint256 safeTxGas,
        uint256 baseGas,
        uint256 gasPrice,
        address gasToken,
        address payable refundReceiver,
        bytes calldata signatures
    ) external payable returns (bool success);

    function getTransactionHash(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation,
        uint256 safeTxGas,
        uint256 baseGas,
        uint256 gasPrice,
        address gasToken,
        address refundReceiver,
        uint256 nonce
    ) external view returns (bytes32 transactionHash);
}

interface ISafeSignMessageLib {
    function signMessage(bytes calldata message) external;
}

interface ISafeProxyFactory {
    function createProxyWithNonce(address singleton, bytes calldata initializer, uint256 saltNonce)
        external
        returns (address proxy);
}

/// @title SafeSigner
/// @notice Two Safes of the same owners, from the published bytecode of the Safe package. They are proxies of the
/// singleton, with the fallback handler that implements ERC-1271.
abstract contract SafeSigner is Signer {
    string private constant ARTIFACTS = "node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/";

    /// In ascending order, as a Safe requires its signatures.
    address[] private _owners;
    mapping(address owner => uint256) private _ownerKeys;

    function _ownerCount() internal pure virtual returns (uint256 count);

    function _threshold() internal pure virtual returns (uint256 threshold);

    function _createAccounts() internal override returns (address account, address twin) {
        uint256[] memory sorted = new uint256[](_ownerCount());
        for (uint256 k = 0; k < sorted.length; ++k) {
            (address owner, uint256 key) = makeAddrAndKey(string.concat("safe owner ", vm.toString(k)));
            sorted[k] = uint160(owner);
            _ownerKeys[owner] = key;
        }
        sorted = vm.sort(sorted);
        for (uint256 k = 0; k < sorted.length; ++k) {
            _owners.push(address(uint160(sorted[k])));
        }

        address singleton = deployCode(string.concat(ARTIFACTS, "Safe.sol/Safe.json"));
        address factory = deployCode(string.concat(ARTIFACTS, "proxies/SafeProxyFactory.sol/SafeProxyFactory.json"));
        address handler = deployCode(
            string.concat(ARTIFACTS, "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json")
        );
        bytes memory initializer = abi.encodeCall(
            ISafe.setup, (_owners, _threshold(), address(0), "", handler, address(0), 0, payable(address(0)))
        );
        account = ISafeProxyFactory(factory).createProxyWithNonce(singleton, initializer, 0);
        twin = ISafeProxyFactory(factory).createProxyWithNonce(singleton, initializer, 1);
    }

    function _signAs(address account, bytes32 digest) internal view override returns (bytes memory signature) {
        return _signAsOwners(account, digest, _threshold());
    }

    /// Returns the signatures of the first `count` owners.
    function _signAsOwners(address account, bytes32 digest, uint256 count)
        internal
        view
        returns (bytes memory signatures)
    {
        return _signHash(_messageHash(account, digest), count);
    }

    /// Lets the owners approve a digest on chain, as the first transaction of the Safe. After that, the Safe accepts an
    /// empty signature for it.
    function _approveOnChain(address account, bytes32 digest) internal {
        address to = deployCode(string.concat(ARTIFACTS, "libraries/SignMessageLib.sol/SignMessageLib.json"));
        bytes memory data = abi.encodeCall(ISafeSignMessageLib.signMessage, (abi.encode(digest)));
        // Operation 1 is a delegate call.
        bytes32 transactionHash = ISafe(account).getTransactionHash(to, 0, data, 1, 0, 0, 0, address(0), address(0), 0);
        ISafe(account)
            .execTransaction(
                to, 0, data, 1, 0, 0, 0, address(0), payable(address(0)), _signHash(transactionHash, _threshold())
            );
        assertEq(
            IERC1271(account).isValidSignature(digest, ""), IERC1271.isValidSignature.selector, "approved on chain"
        );
    }

    function _signHash(bytes32 hash, uint256 count) private view returns (bytes memory signatures) {
        for (uint256 k = 0; k < count; ++k) {
            signatures = abi.encodePacked(signatures, _ecdsa(_ownerKeys[_owners[k]], hash));
        }
    }

    /// Returns the hash that the owners sign: EIP-712 `SafeMessage` of the digest in the Safe's own domain.
    function _messageHash(address account, bytes32 digest) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, account)
        );
        bytes32 message = keccak256(abi.encode(keccak256("SafeMessage(bytes message)"), keccak256(abi.encode(digest))));
        return keccak256(abi.encodePacked(hex"1901", domain, message));
    }
}

abstract contract SafeOfOneSigner is SafeSigner {
    function _ownerCount() internal pure override returns (uint256 count) {
        return 1;
    }

    function _threshold() internal pure override returns (uint256 threshold) {
        return 1;
    }
}

abstract contract SafeTwoOfThreeSigner is SafeSigner {
    function _ownerCount() internal pure override returns (uint256 count) {
        return 3;
    }

    function _threshold() internal pure override returns (uint256 threshold) {
        return 2;
    }
}
