// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryOFTAdapterFixture} from "../../helpers/TreasuryOFTAdapterFixture.sol";
import {
    ILayerZeroEndpointV2,
    Origin
} from "@layerzerolabs/lz-evm-protocol-v2/contracts/interfaces/ILayerZeroEndpointV2.sol";
import {Errors} from "@layerzerolabs/lz-evm-protocol-v2/contracts/libs/Errors.sol";

/// What a stolen key, or anybody, can do to a bridge. SECURITY.md names these tests.
contract BridgeScenariosTest is TreasuryOFTAdapterFixture {
    uint96 private constant LIMIT = 1_000e18;

    /// The key that deployed an adapter also configures it at the endpoint: verifiers, libraries, messages that wait.
    /// With the ownership, it loses that, too.
    function test_X6_FormerOwnerOfTheBridge_ConfiguresNothingAtTheEndpoint() public {
        ILayerZeroEndpointV2 endpoint = ILayerZeroEndpointV2(endpoints[away.eid]);
        away.adapter.transferOwnership(admin);
        vm.prank(admin);
        away.adapter.acceptOwnership();

        vm.expectRevert(Errors.LZ_Unauthorized.selector);
        endpoint.skip(address(away.adapter), home.eid, _peer(), 1);
        vm.prank(admin);
        endpoint.skip(address(away.adapter), home.eid, _peer(), 1);
    }

    /// An owner that renounces stops being the delegate, too. Nobody else could take the role from it.
    function test_X6_OwnerOfTheBridgeThatRenounced_ConfiguresNothingAtTheEndpoint() public {
        away.adapter.renounceOwnership();

        vm.expectRevert(Errors.LZ_Unauthorized.selector);
        ILayerZeroEndpointV2(endpoints[away.eid]).skip(address(away.adapter), home.eid, _peer(), 1);
    }

    /// A message that the owner skips is never delivered. Its tokens were burned at the source and are minted nowhere.
    function test_X6_OwnerOfTheBridge_DropsAMessageInFlight() public {
        _send(home, holder, _param(away, receiver, 10e18));
        ILayerZeroEndpointV2(endpoints[away.eid]).skip(address(away.adapter), home.eid, _peer(), 1);
        assertFalse(
            ILayerZeroEndpointV2(endpoints[away.eid]).verifiable(Origin(home.eid, _peer(), 1), address(away.adapter))
        );
        assertEq(home.treasury.totalSupply() + away.treasury.totalSupply(), SUPPLY - 10e18);
    }

    /// The limit counts what is minted, and a burn frees no room. With a tenth of the limit, anyone uses it up by
    /// sending the same tokens there and back. The tokens of others then wait, burned at the source, until the sum has
    /// leaked.
    function test_X6_Anyone_UsesUpABridgeLimitWithATenthOfIt() public {
        vm.prank(admin);
        away.treasury.setBridgeLimit(address(away.adapter), LIMIT);
        for (uint256 i = 0; i < 10; ++i) {
            _send(home, holder, _param(away, receiver, LIMIT / 10));
            _deliver(away);
            _send(away, receiver, _param(home, holder, LIMIT / 10));
            _deliver(home);
        }
        (, uint256 available) = away.treasury.bridgeLimit(address(away.adapter));
        assertEq(available, 0);
        assertEq(home.treasury.balanceOf(holder), SUPPLY, "the attacker has all tokens");
        skip(12 hours);
        (, available) = away.treasury.bridgeLimit(address(away.adapter));
        assertEq(available, LIMIT / 2);
    }

    function _peer() private view returns (bytes32) {
        return bytes32(uint256(uint160(address(home.adapter))));
    }
}
