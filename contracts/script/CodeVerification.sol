// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig, RwaConfig} from "./DeployConfig.sol";
import {Deployment} from "./Deployment.sol";
import {DeploymentChecks} from "./DeploymentChecks.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {console} from "forge-std/console.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {TreasuryDelegateLibrary} from "src/libraries/TreasuryDelegateLibrary.sol";

/// @title CodeVerification
/// @notice Compares the code of every contract that a deployment created with what these sources compile to.
abstract contract CodeVerification is DeploymentChecks {
    struct CodeDifference {
        string what;
        bytes32 actual;
        bytes32 expected;
    }

    CodeDifference private firstDifference;

    /// @dev Prints for each contract whether its code is the same. Then reverts with `ValueDiffers` for the first one
    /// whose code differs. Everything read from the contracts has to be read before, because they run their constructors
    /// again.
    function _verifyCode(DeployConfig memory config, Deployment memory deployment) internal {
        _checkCreated("CoreSwap", deployment.coreSwapImplementation, type(CoreSwap).creationCode);
        _checkCreated("Treasury", deployment.treasuryImplementation, type(Treasury).creationCode);
        address yieldLibrary = deployment.treasuryDelegateLibrary;
        _checkCreated("treasury delegate's library", yieldLibrary, type(TreasuryDelegateLibrary).creationCode);
        bytes memory creationCode = _linkedTo(yieldLibrary, type(TreasuryDelegate).creationCode);
        _checkCreated("treasury delegate", deployment.treasuryDelegateImplementation, creationCode);
        _checkCreated("stablecoin delegate", deployment.delegateImplementation, type(BalanceSheetDelegate).creationCode);
        for (uint256 i; i < config.rwas.length; ++i) {
            RwaConfig memory rwa = config.rwas[i];
            bytes memory terms = abi.encode(
                config.roles.admin,
                rwa.navPoster,
                rwa.navWad,
                rwa.maxMovePerPostWad,
                rwa.maxMovePerDayWad,
                rwa.maxAgeSeconds
            );
            creationCode = abi.encodePacked(type(NavPriceAdapter).creationCode, terms);
            string memory name = string.concat(rwa.asset.symbol, " adapter");
            _checkCreated(name, address(deployment.navAdapters[i]), creationCode);
        }

        bytes memory proxyCode = type(ERC1967Proxy).runtimeCode;
        _checkCode("CoreSwap's proxy", address(deployment.coreSwap), proxyCode);
        _checkCode("Treasury's proxy", address(deployment.treasury), proxyCode);
        _checkCode("treasury delegate's proxy", address(deployment.treasuryDelegate), proxyCode);
        for (uint256 i; i < config.stablecoins.length; ++i) {
            string memory name = string.concat(config.stablecoins[i].asset.symbol, " delegate's proxy");
            _checkCode(name, address(deployment.delegates[i]), proxyCode);
        }
        if (config.governedByTimelock) {
            _checkCode("timelock", address(deployment.timelock), type(TimelockController).runtimeCode);
        }
        _check(firstDifference.what, firstDifference.actual, firstDifference.expected);
    }

    /// @dev Runs the creation code at the address of the contract, because code can contain its own address.
    function _checkCreated(string memory what, address deployed, bytes memory creationCode) private {
        bytes memory actual = deployed.code;
        vm.etch(deployed, creationCode);
        // forge-lint: disable-next-line(unchecked-call)
        (bool success, bytes memory expected) = deployed.call("");
        vm.etch(deployed, actual);
        _check(string.concat(what, "'s constructor"), success, true);
        _checkCode(what, deployed, expected);
    }

    function _checkCode(string memory what, address deployed, bytes memory expected) private {
        bool isSame = deployed.codehash == keccak256(expected);
        console.log("%s: %s of %s", isSame ? "same code" : "OTHER CODE", deployed, what);
        if (isSame || bytes(firstDifference.what).length != 0) return;
        firstDifference = CodeDifference(string.concat(what, "'s code"), deployed.codehash, keccak256(expected));
    }

    /// @dev Forge has linked the code of this run to a library of its own.
    function _linkedTo(address deployed, bytes memory code) private pure returns (bytes memory) {
        return
            vm.parseBytes(
                vm.replace(vm.toString(code), _digitsOf(address(TreasuryDelegateLibrary)), _digitsOf(deployed))
            );
    }

    /// @dev The 40 digits of an address, without `0x`.
    function _digitsOf(address account) private pure returns (string memory) {
        return vm.replace(vm.toLowercase(vm.toString(account)), "0x", "");
    }
}
