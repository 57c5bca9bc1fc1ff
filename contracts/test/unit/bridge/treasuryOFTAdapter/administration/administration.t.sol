// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {
    EnforcedOptionParam,
    IOAppOptionsType3
} from "@layerzerolabs/oapp-evm/contracts/oapp/interfaces/IOAppOptionsType3.sol";
import {OptionsBuilder} from "@layerzerolabs/oapp-evm/contracts/oapp/libs/OptionsBuilder.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TreasuryOFTAdapter} from "src/bridge/TreasuryOFTAdapter.sol";
import {TreasuryOFTAdapterFixture} from "test/helpers/TreasuryOFTAdapterFixture.sol";

interface IDelegates {
    function delegates(address oapp) external view returns (address delegate);
}

contract TreasuryOFTAdapterAdministrationTest is TreasuryOFTAdapterFixture {
    using OptionsBuilder for bytes;

    address private immutable NEW = makeAddr("new");

    function test_RevertWhen_TheCallerOfAnyOfThemIsNotTheOwner() public {
        _expectUnauthorized(holder);
    }

    function test_RevertWhen_TheOptionsToEnforceAreNotOfTheThirdType() public {
        EnforcedOptionParam[] memory enforced = _enforced(hex"0001");
        vm.expectRevert(abi.encodeWithSelector(IOAppOptionsType3.InvalidOptions.selector, hex"0001"));
        home.adapter.setEnforcedOptions(enforced);
    }

    function test_WhenTheCallerIsTheOwner() public {
        bytes[] memory calls = _calls();
        for (uint256 k = 0; k < calls.length; ++k) {
            if (k + 1 == calls.length) assertEq(_delegate(), NEW, "delegate");
            (bool success,) = address(home.adapter).call(calls[k]);
            assertTrue(success);
        }
        assertEq(home.adapter.peers(away.eid), bytes32(uint256(uint160(NEW))), "peer");
        assertEq(home.adapter.msgInspector(), NEW, "inspector");
        assertEq(home.adapter.preCrime(), NEW, "pre-crime");
        assertEq(home.adapter.enforcedOptions(away.eid, home.adapter.SEND()), _options(), "options");
        assertEq(home.adapter.owner(), address(0), "owner");
    }

    function test_WhenTheOwnerRenounces() public {
        home.adapter.renounceOwnership();
        _expectUnauthorized(address(this));
        assertEq(_delegate(), address(0), "delegate");
        _send(home, holder, _param(away, receiver, 2e18));
        _deliver(away);
        _send(away, receiver, _param(home, holder, 1e18));
        _deliver(home);
        assertEq(home.treasury.balanceOf(holder), SUPPLY - 1e18, "at home");
        assertEq(away.treasury.balanceOf(receiver), 1e18, "away");
    }

    function _delegate() private view returns (address) {
        return IDelegates(endpoints[home.eid]).delegates(address(home.adapter));
    }

    /// Returns a call of each of the owner's functions, with the renunciation last.
    function _calls() private view returns (bytes[] memory calls) {
        TreasuryOFTAdapter adapter = home.adapter;
        calls = new bytes[](6);
        calls[0] = abi.encodeCall(adapter.setPeer, (away.eid, bytes32(uint256(uint160(NEW)))));
        calls[1] = abi.encodeCall(adapter.setDelegate, (NEW));
        calls[2] = abi.encodeCall(adapter.setEnforcedOptions, (_enforced(_options())));
        calls[3] = abi.encodeCall(adapter.setMsgInspector, (NEW));
        calls[4] = abi.encodeCall(adapter.setPreCrime, (NEW));
        calls[5] = abi.encodeCall(adapter.renounceOwnership, ());
    }

    function _enforced(bytes memory options) private view returns (EnforcedOptionParam[] memory enforced) {
        enforced = new EnforcedOptionParam[](1);
        enforced[0] = EnforcedOptionParam(away.eid, home.adapter.SEND(), options);
    }

    function _options() private pure returns (bytes memory options) {
        return OptionsBuilder.newOptions().addExecutorLzReceiveOption(RECEIVE_GAS, 0);
    }

    function _expectUnauthorized(address caller) private {
        bytes[] memory calls = _calls();
        for (uint256 k = 0; k < calls.length; ++k) {
            vm.prank(caller);
            (bool success, bytes memory reason) = address(home.adapter).call(calls[k]);
            assertFalse(success, "a stranger administers");
            assertEq(reason, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        }
    }
}
