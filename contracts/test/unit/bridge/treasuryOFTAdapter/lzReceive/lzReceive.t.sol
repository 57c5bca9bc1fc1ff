// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    ILayerZeroEndpointV2,
    Origin
} from "@layerzerolabs/lz-evm-protocol-v2/contracts/interfaces/ILayerZeroEndpointV2.sol";
import {Errors} from "@layerzerolabs/lz-evm-protocol-v2/contracts/libs/Errors.sol";
import {PacketV1Codec} from "@layerzerolabs/lz-evm-protocol-v2/contracts/messagelib/libs/PacketV1Codec.sol";
import {OAppReceiver} from "@layerzerolabs/oapp-evm/contracts/oapp/OAppReceiver.sol";
import {IOAppCore} from "@layerzerolabs/oapp-evm/contracts/oapp/interfaces/IOAppCore.sol";
import {OptionsBuilder} from "@layerzerolabs/oapp-evm/contracts/oapp/libs/OptionsBuilder.sol";
import {IOFT, MessagingReceipt, SendParam} from "@layerzerolabs/oft-evm/contracts/interfaces/IOFT.sol";
import {OFTComposeMsgCodec} from "@layerzerolabs/oft-evm/contracts/libs/OFTComposeMsgCodec.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";
import {TreasuryOFTAdapterFixture} from "test/helpers/TreasuryOFTAdapterFixture.sol";

/// forge-config: default.fuzz.runs = 128
contract TreasuryOFTAdapterLzReceiveTest is TreasuryOFTAdapterFixture {
    using PacketV1Codec for bytes;
    using OptionsBuilder for bytes;

    struct Message {
        Origin origin;
        bytes32 guid;
        bytes body;
        bytes32 payloadHash;
    }

    uint256 private constant AMOUNT = 1_234.567891e18;

    function test_RevertWhen_TheCallerIsNotTheEndpoint() public {
        Origin memory origin = Origin(home.eid, _peer(address(home.adapter)), 1);
        vm.expectRevert(abi.encodeWithSelector(OAppReceiver.OnlyEndpoint.selector, address(this)));
        away.adapter.lzReceive(origin, bytes32(0), "", address(0), "");
    }

    function testFuzz_RevertWhen_TheMessageIsNotFromThePeer(bool isOtherChain, uint32 srcEid, bytes32 sender) public {
        bytes32 peer = _peer(address(home.adapter));
        if (isOtherChain) {
            vm.assume(srcEid != home.eid);
            sender = peer;
            vm.expectRevert(abi.encodeWithSelector(IOAppCore.NoPeer.selector, srcEid));
        } else {
            vm.assume(sender != peer);
            srcEid = home.eid;
            vm.expectRevert(abi.encodeWithSelector(IOAppCore.OnlyPeer.selector, srcEid, sender));
        }
        vm.prank(endpoints[away.eid]);
        away.adapter.lzReceive(Origin(srcEid, sender, 1), bytes32(0), "", address(0), "");
    }

    function test_RevertGiven_TheMessageWasDeliveredBefore() public {
        Message memory message = _sendAndVerify(receiver, AMOUNT);
        _receive(message);
        vm.expectRevert(
            abi.encodeWithSelector(
                Errors.LZ_PayloadHashNotFound.selector,
                bytes32(0),
                keccak256(abi.encodePacked(message.guid, message.body))
            )
        );
        _receive(message);
        assertEq(away.treasury.balanceOf(receiver), AMOUNT);
    }

    function test_GivenTheReceiverIsBlacklisted() public {
        _blacklist(away, receiver);
        Message memory message = _sendAndVerify(receiver, AMOUNT);
        _expectRefusal(message, abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, receiver));
        vm.prank(admin);
        away.treasury.removeFromBlacklist(receiver);
        _expectDelivery(message);
    }

    function test_GivenTheTokenIsPausedAtTheDestination() public {
        _pause(away);
        Message memory message = _sendAndVerify(receiver, AMOUNT);
        _expectRefusal(message, abi.encodeWithSelector(Pausable.EnforcedPause.selector));
        vm.prank(admin);
        away.treasury.unpause();
        _expectDelivery(message);
    }

    function test_GivenTheAdapterLostItsBridgeRole() public {
        vm.prank(admin);
        away.treasury.removeBridge(address(away.adapter));
        Message memory message = _sendAndVerify(receiver, AMOUNT);
        _expectRefusal(
            message,
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector,
                address(away.adapter),
                away.treasury.BRIDGE_ROLE()
            )
        );
        vm.prank(admin);
        away.treasury.addBridge(address(away.adapter));
        _expectDelivery(message);
    }

    function test_GivenTheSenderWasBlacklistedAfterSending() public {
        Message memory message = _sendAndVerify(receiver, AMOUNT);
        _blacklist(home, holder);
        _blacklist(away, holder);
        _expectDelivery(message);
    }

    function test_WhenTheReceiverIsZero() public {
        _send(home, holder, _param(away, address(0), AMOUNT));
        _deliver(away);
        assertEq(away.treasury.balanceOf(0x000000000000000000000000000000000000dEaD), AMOUNT, "dead");
        assertEq(away.treasury.totalSupply(), AMOUNT, "supply");
    }

    function testFuzz_WhenTheReceiverIsOnNoWhitelist(address to, uint256 amount) public {
        vm.assume(to != address(0));
        amount = bound(amount, UNIT, SUPPLY);
        uint256 sent = amount - amount % UNIT;
        Message memory message = _sendAndVerify(to, amount);
        vm.expectEmit(address(away.treasury));
        emit ITreasury.BridgeMint(address(away.adapter), to, sent);
        vm.expectEmit(address(away.adapter));
        emit IOFT.OFTReceived(message.guid, home.eid, to, sent);
        _receive(message);
        assertEq(away.treasury.balanceOf(to), sent, "receiver");
        assertEq(away.treasury.totalSupply(), sent, "supply away");
        assertEq(home.treasury.totalSupply(), SUPPLY - sent, "supply at home");
    }

    /// @dev The bits of `delivered` say after which sends all packets in transit in that direction are delivered.
    function testFuzz_GivenTokensTravelToAndFro(uint256[6] memory amounts, uint8 delivered) public {
        uint256[2] memory inFlight;
        for (uint256 k = 0; k < amounts.length; ++k) {
            (Side memory from, Side memory to) = k % 2 == 0 ? (home, away) : (away, home);
            (address sender, address account) = k % 2 == 0 ? (holder, receiver) : (receiver, holder);
            uint256 balance = from.treasury.balanceOf(sender);
            if (balance >= UNIT) {
                uint256 amount = bound(amounts[k], UNIT, balance);
                _send(from, sender, _param(to, account, amount));
                inFlight[k % 2] += amount - amount % UNIT;
            }
            if (delivered >> k & 1 == 1) {
                _deliver(to);
                inFlight[k % 2] = 0;
            }
            assertEq(
                home.treasury.totalSupply() + away.treasury.totalSupply() + inFlight[0] + inFlight[1],
                SUPPLY,
                "supplies"
            );
        }
        _deliver(home);
        _deliver(away);
        assertEq(home.treasury.totalSupply() + away.treasury.totalSupply(), SUPPLY, "supplies in the end");
        assertEq(home.treasury.balanceOf(holder) + away.treasury.balanceOf(receiver), SUPPLY, "balances");
    }

    function test_GivenAComposeMessageComesAlong() public {
        SendParam memory param = _param(away, receiver, AMOUNT);
        param.composeMsg = hex"c0de";
        param.extraOptions = param.extraOptions.addExecutorLzComposeOption(0, RECEIVE_GAS, 0);
        (MessagingReceipt memory messaging,) = _send(home, holder, param);
        _deliver(away);
        assertEq(away.treasury.balanceOf(receiver), AMOUNT, "receiver");
        bytes memory composed =
            OFTComposeMsgCodec.encode(1, home.eid, AMOUNT, abi.encodePacked(_peer(holder), param.composeMsg));
        assertEq(
            ILayerZeroEndpointV2(endpoints[away.eid]).composeQueue(address(away.adapter), receiver, messaging.guid, 0),
            keccak256(composed),
            "queue"
        );
    }

    /// Sends and verifies the packet at the destination, without delivering it.
    function _sendAndVerify(address to, uint256 amount) private returns (Message memory message) {
        _send(home, holder, _param(away, to, amount));
        bytes memory packet = getNextInflightPacket(uint16(away.eid), _peer(address(away.adapter)));
        this.validatePacket(packet, "");
        return this.parse(packet);
    }

    function parse(bytes calldata packet) external pure returns (Message memory message) {
        message.origin = Origin(packet.srcEid(), packet.sender(), packet.nonce());
        message.guid = packet.guid();
        message.body = packet.message();
        message.payloadHash = packet.payloadHash();
    }

    /// Delivers from an account without any role.
    function _receive(Message memory message) private {
        vm.prank(makeAddr("anyone"));
        ILayerZeroEndpointV2(endpoints[away.eid])
            .lzReceive(message.origin, address(away.adapter), message.guid, message.body, "");
    }

    function _expectRefusal(Message memory message, bytes memory reason) private {
        for (uint256 attempt = 0; attempt < 2; ++attempt) {
            vm.expectRevert(reason);
            _receive(message);
            assertEq(_storedHash(message), message.payloadHash, "the message is lost");
            assertEq(away.treasury.totalSupply(), 0, "minted");
        }
        assertEq(home.treasury.totalSupply(), SUPPLY - AMOUNT, "supply at home");
    }

    function _expectDelivery(Message memory message) private {
        _receive(message);
        assertEq(away.treasury.balanceOf(receiver), AMOUNT, "receiver");
        assertEq(away.treasury.totalSupply() + home.treasury.totalSupply(), SUPPLY, "supplies");
        assertEq(_storedHash(message), bytes32(0), "the message could be delivered again");
    }

    function _storedHash(Message memory message) private view returns (bytes32) {
        return ILayerZeroEndpointV2(endpoints[away.eid])
            .inboundPayloadHash(
                address(away.adapter), message.origin.srcEid, message.origin.sender, message.origin.nonce
            );
    }

    function _peer(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
