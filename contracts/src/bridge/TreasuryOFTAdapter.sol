// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "../interfaces/ITreasury.sol";
import {OFTAdapter} from "@layerzerolabs/oft-evm/contracts/OFTAdapter.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title TreasuryOFTAdapter
/// @notice Moves the treasury token between chains over LayerZero (OFT version 2): burns at the source, mints the same
/// amount at the destination. One adapter a chain, each the other's peer; holders approve the adapter.
/// @dev
/// Amounts travel with 6 decimals. What a send cannot carry, less than 1e-6 of a token, is not burned and stays with
/// the sender; a send of nothing but that reverts. One message carries at most 2^64 - 1 millionths. Over all chains, the
/// supplies and what is in flight add up to the same.
///
/// Compliance is the token's. The burn asks the token's pause and blacklist at the source, the mint those of the
/// destination; neither asks a whitelist. A mint that the token refuses reverts: the endpoint keeps the message, and
/// anyone can deliver it once the receiver is off the blacklist or the pause is over. Until then the tokens exist on
/// neither chain. A send to the zero address mints to `DEAD`, because the token has no such receiver and the message
/// could never be delivered.
///
/// Roles. The owner sets peers, libraries, enforced options and the endpoint's delegate. It can make the adapter mint
/// at will by naming a false peer, hence the handover in two steps; it shall set the delegate anew after one. The token's
/// operator grants and takes `BRIDGE_ROLE`, without which the adapter neither mints nor burns: `removeBridge` closes both
/// directions at once, so that nobody burns for a message that this chain's token no longer trusts.
///
/// Not moved. Credits for yield stay with the account at the delegate of the source chain.
///
/// Not checked. That all adapters of the mesh burn and mint alike. How much passes in a day.
contract TreasuryOFTAdapter is OFTAdapter, Ownable2Step {
    /// @notice Receiver of what was sent to the zero address.
    address public constant DEAD = 0x000000000000000000000000000000000000dEaD;

    /// @notice The token's role of bridges. Without it a burn would still pass, as that of any spender.
    bytes32 private constant BRIDGE_ROLE = keccak256("BRIDGE_ROLE");

    /// @notice Binds token and endpoint for good.
    /// @param treasury The treasury token of this chain.
    /// @param lzEndpoint LayerZero's endpoint of this chain.
    /// @param owner_ Owner of the adapter and its delegate at the endpoint; neither it nor the token may be zero.
    constructor(address treasury, address lzEndpoint, address owner_)
        OFTAdapter(treasury, lzEndpoint, owner_)
        Ownable(owner_)
    {}

    /// @notice Tells that a sender has to approve this adapter for the token.
    /// @return required True: sending burns from the allowance.
    function approvalRequired() external pure override returns (bool required) {
        return true;
    }

    /// @notice Offers the ownership to an account, which takes it with `acceptOwnership`. Owner only.
    /// @param newOwner The account; zero withdraws an offer.
    function transferOwnership(address newOwner) public override(Ownable, Ownable2Step) {
        super.transferOwnership(newOwner);
    }

    /// @notice Burns what a send carries. Reverts with `AccessControlUnauthorizedAccount` while the adapter lacks
    /// `BRIDGE_ROLE`, with `SlippageExceeded`, and with what the token's `burnFrom` reverts with.
    /// @param from Sender.
    /// @param amountLD Amount to send, in the token's smallest unit.
    /// @param minAmountLD Least amount to burn and to be received.
    /// @param dstEid Endpoint ID of the destination.
    /// @return amountSentLD Amount burned: `amountLD` without what 6 decimals cannot carry.
    /// @return amountReceivedLD Amount that will be minted, the same.
    function _debit(address from, uint256 amountLD, uint256 minAmountLD, uint32 dstEid)
        internal
        override
        returns (uint256 amountSentLD, uint256 amountReceivedLD)
    {
        if (!IAccessControl(address(innerToken)).hasRole(BRIDGE_ROLE, address(this))) {
            revert IAccessControl.AccessControlUnauthorizedAccount(address(this), BRIDGE_ROLE);
        }
        (amountSentLD, amountReceivedLD) = _debitView(amountLD, minAmountLD, dstEid);
        ITreasury(address(innerToken)).burnFrom(from, amountSentLD);
    }

    /// @notice Mints what a message carries. Reverts with what the token's `bridgeMint` reverts with.
    /// @param to Receiver; `DEAD` in place of zero.
    /// @param amountLD Amount in the token's smallest unit.
    /// @return amountReceivedLD Amount minted, the same.
    function _credit(address to, uint256 amountLD, uint32) internal override returns (uint256 amountReceivedLD) {
        ITreasury(address(innerToken)).bridgeMint(to == address(0) ? DEAD : to, amountLD);
        return amountLD;
    }

    /// @notice Hands the ownership over and forgets the offer.
    /// @param newOwner The new owner.
    function _transferOwnership(address newOwner) internal override(Ownable, Ownable2Step) {
        super._transferOwnership(newOwner);
    }
}
