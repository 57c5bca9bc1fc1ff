// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Origin} from "@layerzerolabs/lz-evm-protocol-v2/contracts/interfaces/ILayerZeroEndpointV2.sol";
import {IOAppPreCrimeSimulator} from "@layerzerolabs/oapp-evm/contracts/precrime/interfaces/IOAppPreCrimeSimulator.sol";
import {InboundPacket} from "@layerzerolabs/oapp-evm/contracts/precrime/libs/Packet.sol";
import {OFTMsgCodec} from "@layerzerolabs/oft-evm/contracts/libs/OFTMsgCodec.sol";
import {TreasuryOFTAdapterFixture} from "test/helpers/TreasuryOFTAdapterFixture.sol";

/// The test is the simulating caller. The adapter asks it for the result during the simulation.
contract TreasuryOFTAdapterLzReceiveSimulateTest is TreasuryOFTAdapterFixture {
    uint64 private constant AMOUNT_SD = 5e6;

    function test_RevertWhen_AnyoneCallsTheSimulationOfOnePacket() public {
        vm.expectRevert(IOAppPreCrimeSimulator.OnlySelf.selector);
        away.adapter.lzReceiveSimulate(_origin(address(home.adapter)), bytes32(0), _message(), address(0), "");
    }

    function test_RevertWhen_AnyoneSimulatesPacketsInTheNameOfThePeer() public {
        _expectResult(address(home.adapter), AMOUNT_SD * UNIT);
    }

    function testFuzz_RevertWhen_AnyoneSimulatesPacketsInTheNameOfAnother(address other) public {
        vm.assume(other != address(home.adapter));
        _expectResult(other, 0);
    }

    /// The receiver's balance during the simulation.
    function buildSimulationResult() external view returns (bytes memory) {
        return abi.encode(away.treasury.balanceOf(receiver));
    }

    function _expectResult(address sender, uint256 balance) private {
        InboundPacket[] memory packets = new InboundPacket[](1);
        packets[0].origin = _origin(sender);
        packets[0].dstEid = away.eid;
        packets[0].message = _message();
        vm.expectRevert(abi.encodeWithSelector(IOAppPreCrimeSimulator.SimulationResult.selector, abi.encode(balance)));
        away.adapter.lzReceiveAndRevert(packets);
        assertEq(away.treasury.totalSupply(), 0, "minted");
    }

    function _origin(address sender) private view returns (Origin memory origin) {
        return Origin(home.eid, bytes32(uint256(uint160(sender))), 1);
    }

    function _message() private view returns (bytes memory message) {
        (message,) = OFTMsgCodec.encode(bytes32(uint256(uint160(receiver))), AMOUNT_SD, "");
    }
}
