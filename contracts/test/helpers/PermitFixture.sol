// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "./CoreSwapFixture.sol";
import {Signer} from "./signers/Signer.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title PermitFixture
/// @notice {CoreSwapFixture} with an account and its twin, both of one kind of signer and funded. Permits are written
/// from the text of EIP-712 only.
abstract contract PermitFixture is CoreSwapFixture, Signer {
    /// Everything that a permit binds, except chain and contract.
    struct Call {
        address user;
        address operator;
        address receiver;
        ICoreSwap.SwapInputs[] legs;
        uint256 nonce;
        uint256 deadline;
    }

    string private constant LEG_TYPE =
        "SwapInputs(uint256 routeId,bytes32 assetInID,bytes32 assetOutID,bytes32 stablecoinDelegateID,uint256 assetInAmt,uint256 assetOutAmt)";
    string private constant CALL_TYPE =
        "Swap(address user,address operator,address receiver,SwapInputs[] inputs,uint256 nonce,uint256 deadline)";

    address internal account;
    address internal twin;

    function setUp() public virtual override {
        super.setUp();
        (account, twin) = _createAccounts();
        _fund(account);
        _fund(twin);
    }

    function _fund(address holder) internal {
        bill.token.mint(holder, 1_000_000e18);
        _approve(holder, bill.token);
    }

    /// Returns the call that the tests sign and vary: the broker swaps two legs of the account for the receiver.
    function _call() internal view returns (Call memory call) {
        call.user = account;
        call.operator = broker;
        call.receiver = receiver;
        call.legs = new ICoreSwap.SwapInputs[](2);
        call.legs[0] = _leg(1, 1_000e18, false);
        call.legs[1] = _leg(6, 7e6, false);
        call.deadline = block.timestamp + 1 hours;
    }

    /// Returns the user's permit for a call.
    function _permit(Call memory call) internal view returns (ICoreSwap.ApprovalPermit memory permit) {
        return ICoreSwap.ApprovalPermit(call.deadline, _signAs(call.user, _digest(call)));
    }

    function _submit(Call memory call, ICoreSwap.ApprovalPermit memory permit) internal {
        vm.prank(call.operator);
        core.swap(call.user, call.receiver, call.legs, permit);
    }

    function _expectInvalid(Call memory call, ICoreSwap.ApprovalPermit memory permit) internal {
        vm.expectRevert(ICoreSwap.InvalidSignature.selector);
        _submit(call, permit);
    }

    function _digest(Call memory call) internal view returns (bytes32 digest) {
        return _digest(call, block.chainid, address(core));
    }

    function _digest(Call memory call, uint256 chainId, address verifyingContract)
        internal
        pure
        returns (bytes32 digest)
    {
        return keccak256(
            abi.encodePacked(hex"1901", _domain("CoreSwap", "1", chainId, verifyingContract), _structHash(call))
        );
    }

    function _domain(string memory name, string memory version, uint256 chainId, address verifyingContract)
        internal
        pure
        returns (bytes32 separator)
    {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                verifyingContract
            )
        );
    }

    function _structHash(Call memory call) private pure returns (bytes32) {
        bytes memory hashes;
        for (uint256 k = 0; k < call.legs.length; ++k) {
            hashes = abi.encodePacked(hashes, keccak256(abi.encode(keccak256(bytes(LEG_TYPE)), call.legs[k])));
        }
        return keccak256(
            abi.encode(
                keccak256(abi.encodePacked(CALL_TYPE, LEG_TYPE)),
                call.user,
                call.operator,
                call.receiver,
                keccak256(hashes),
                call.nonce,
                call.deadline
            )
        );
    }
}
