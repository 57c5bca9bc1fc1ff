// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITreasury} from "../interfaces/ITreasury.sol";
import {OFTAdapter} from "@layerzerolabs/oft-evm/contracts/OFTAdapter.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title TreasuryOFTAdapter
/// @notice Moves the treasury token between chains over LayerZero (OFT version 2): burns at the source and mints the
/// same amount at the destination. There is one adapter per chain, each the other's peer; holders approve the adapter.
/// @dev Messages carry amounts with 6 decimals. The part of an amount below 1e-6 of a token is not burned and stays
/// with the sender; a send of less than that reverts. One message carries at most 2^64 - 1 millionths. Bridging never
/// changes the sum of the supplies of all chains and the amounts in flight.
///
/// Compliance is the token's. The burn checks the pause and the blacklist of the token at the source, the mint those at
/// the destination; neither checks a whitelist. A mint that the token refuses reverts: the endpoint keeps the message,
/// and anyone can deliver it once the receiver is off the blacklist or the pause is over. Until then the tokens exist
/// on neither chain. A send to the zero address mints to `DEAD`, because the token does not mint to zero and the
/// message could never be delivered.
///
/// Roles. The owner sets peers, libraries, enforced options and the endpoint's delegate. It can make the adapter mint
/// at will by naming a false peer, hence the handover in two steps. The new owner becomes the delegate, too, so that
/// the former one can configure nothing at the endpoint any more. The token's operator grants and revokes
/// `BRIDGE_ROLE`, without which the adapter neither mints nor burns: `removeBridge` closes both directions at once, so
/// that nobody burns for a message that this chain's token no longer trusts.
///
/// Not moved. Credits for yield stay with the account at the delegate of the source chain.
///
/// Not checked. That all adapters of the mesh burn and mint alike. How much passes in a day, unless the token sets a
/// limit.
contract TreasuryOFTAdapter is OFTAdapter, Ownable2Step {
    /// @notice Receiver of what was sent to the zero address.
    address public constant DEAD = 0x000000000000000000000000000000000000dEaD;

    /// @dev The token's role of bridges. Without it a burn would still pass, like that of any spender.
    bytes32 private constant BRIDGE_ROLE = keccak256("BRIDGE_ROLE");

    /// @notice Binds the adapter to its token and endpoint, which never change.
    /// @param treasury The treasury token of this chain.
    /// @param lzEndpoint LayerZero's endpoint of this chain.
    /// @param owner_ Owner of the adapter and its delegate at the endpoint; neither it nor the token may be zero.
    constructor(address treasury, address lzEndpoint, address owner_)
        OFTAdapter(treasury, lzEndpoint, owner_)
        Ownable(owner_)
    {}

    /// @notice Returns whether a sender has to approve this adapter for the token.
    /// @return required True: sending burns from the allowance.
    function approvalRequired() external pure override returns (bool required) {
        return true;
    }

    /// @notice Offers the ownership to an account, which takes it with `acceptOwnership`. Owner only.
    /// @param newOwner The account; zero withdraws an offer.
    function transferOwnership(address newOwner) public override(Ownable, Ownable2Step) {
        super.transferOwnership(newOwner);
    }

    /// @notice Takes an ownership that was offered, and becomes the adapter's delegate at the endpoint.
    function acceptOwnership() public override {
        super.acceptOwnership();
        endpoint.setDelegate(msg.sender);
    }

    /// @notice Gives up the ownership and the delegate at the endpoint for ever. Owner only.
    function renounceOwnership() public override {
        super.renounceOwnership();
        endpoint.setDelegate(address(0));
    }

    /// @dev Burns `amountLD` less what 6 decimals cannot carry; the same amount will be minted at `dstEid`. Amounts are
    /// in the token's smallest unit. Reverts with `AccessControlUnauthorizedAccount` while the adapter lacks
    /// `BRIDGE_ROLE`, with `SlippageExceeded` below `minAmountLD`, and with the errors of the token's `burnFrom`.
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

    /// @dev Mints exactly what a message carries, to `DEAD` in place of zero. Reverts with the errors of the token's
    /// `bridgeMint`.
    function _credit(address to, uint256 amountLD, uint32) internal override returns (uint256 amountReceivedLD) {
        ITreasury(address(innerToken)).bridgeMint(to == address(0) ? DEAD : to, amountLD);
        return amountLD;
    }

    /// @dev Transfers the ownership and clears the offer.
    function _transferOwnership(address newOwner) internal override(Ownable, Ownable2Step) {
        super._transferOwnership(newOwner);
    }
}
