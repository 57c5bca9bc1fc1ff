// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VerificationTest} from "./VerificationTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {DeploymentChecks} from "script/DeploymentChecks.sol";

contract CodeVerificationTest is VerificationTest {
    function test_VerifyCode_AsDeployed_Passes() public {
        script.verifyCode(_config(), d);
    }

    function test_VerifyCode_OneByteDiffers_NamesTheContract() public {
        DeployConfig memory config = _config();
        _assertCodeNamed(d.coreSwapImplementation, "CoreSwap");
        _assertCodeNamed(d.treasuryImplementation, "Treasury");
        _assertCodeNamed(d.treasuryDelegateLibrary, "treasury delegate's library");
        _assertCodeNamed(d.treasuryDelegateImplementation, "treasury delegate");
        _assertCodeNamed(d.delegateImplementation, "stablecoin delegate");
        for (uint256 i; i < d.navAdapters.length; ++i) {
            _assertCodeNamed(address(d.navAdapters[i]), string.concat(config.rwas[i].asset.symbol, " adapter"));
        }
        _assertCodeNamed(address(d.coreSwap), "CoreSwap's proxy");
        _assertCodeNamed(address(d.treasury), "Treasury's proxy");
        _assertCodeNamed(address(d.treasuryDelegate), "treasury delegate's proxy");
        for (uint256 i; i < d.delegates.length; ++i) {
            string memory name = string.concat(config.stablecoins[i].asset.symbol, " delegate's proxy");
            _assertCodeNamed(address(d.delegates[i]), name);
        }
    }

    /// The library is in the code of the delegate, so another address of the same library is another delegate.
    function test_VerifyCode_AnotherLibrary_NamesTheDelegate() public {
        address other = makeAddr("another library");
        vm.etch(other, hex"00");
        d.treasuryDelegateLibrary = other;
        vm.expectPartialRevert(DeploymentChecks.ValueDiffers.selector);
        script.verifyCode(_config(), d);
    }

    function _assertCodeNamed(address deployed, string memory name) private {
        uint256 snapshot = vm.snapshotState();
        bytes memory code = deployed.code;
        bytes memory changed = deployed.code;
        changed[changed.length / 2] ^= 0x01;
        vm.etch(deployed, changed);
        bytes memory reason = abi.encodeWithSelector(
            DeploymentChecks.ValueDiffers.selector, string.concat(name, "'s code"), keccak256(changed), keccak256(code)
        );
        vm.expectRevert(reason);
        script.verifyCode(_config(), d);
        vm.revertToState(snapshot);
    }
}
