// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "./CoreSwapFixture.sol";
import {Effects} from "./Effects.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title CoreSwapTest
/// @notice Shared by the tests of CoreSwap's functions: watches all its views, makes calls and checks roles.
abstract contract CoreSwapTest is CoreSwapFixture, Effects {
    bytes32 internal constant NEW_ID = keccak256("NEW");

    /// Watches every view of CoreSwap, for the assets and accounts of the fixture and for {NEW_ID}.
    function _watchCore() internal {
        _watchGlobals();
        bytes32[3] memory stablecoins = [usdc.id, usdx.id, NEW_ID];
        bytes32[3] memory rwas = [bill.id, bond.id, NEW_ID];
        address[2] memory tokens = [address(usdc.token), address(usdx.token)];
        for (uint256 i = 0; i < 3; ++i) {
            _watchStablecoin(stablecoins[i]);
            _watchCore(abi.encodeCall(ICoreSwap.rwaInfo, (rwas[i])));
            _watchCore(abi.encodeCall(ICoreSwap.rwaPriceAdapters, (rwas[i])));
            _watchCore(abi.encodeCall(ICoreSwap.rwaWhitelistAdapters, (rwas[i])));
            for (uint256 k = 0; k < 3; ++k) {
                _watchCore(abi.encodeCall(ICoreSwap.discountRates, (stablecoins[i], rwas[k])));
                _watchCore(abi.encodeCall(ICoreSwap.redemptionFees, (stablecoins[i], rwas[k])));
            }
            for (uint256 k = 0; k < 2; ++k) {
                _watchCore(abi.encodeCall(ICoreSwap.stablecoinAcceptanceFees, (stablecoins[i], tokens[k])));
                _watchCore(abi.encodeCall(ICoreSwap.stablecoinRedemptionFees, (stablecoins[i], tokens[k])));
            }
        }
    }

    function _watchGlobals() private {
        _watch(address(core), abi.encodeWithSignature("paused()"));
        _watchCore(abi.encodeCall(ICoreSwap.coreVault, ()));
        _watchCore(abi.encodeCall(ICoreSwap.maxSwapLegs, ()));
        _watchCore(abi.encodeCall(ICoreSwap.spreadProtocolTakeRate, ()));
        bytes32[4] memory roles =
            [bytes32(0), core.OPERATOR_ROLE(), core.BLACKLISTER_ROLE(), core.EXTERNAL_PAUSER_ROLE()];
        for (uint256 i = 0; i < roles.length; ++i) {
            _watch(address(core), abi.encodeCall(core.getRoleMembers, (roles[i])));
        }
        address[4] memory accounts = [user, receiver, vault, broker];
        for (uint256 i = 0; i < accounts.length; ++i) {
            _watchCore(abi.encodeCall(ICoreSwap.blacklisted, (accounts[i])));
            _watch(address(core), abi.encodeWithSignature("nonces(address)", accounts[i]));
            _watchCore(abi.encodeCall(ICoreSwap.swapInputAllowances, (accounts[i], broker, usdc.id)));
            _watchCore(abi.encodeCall(ICoreSwap.swapInputAllowances, (accounts[i], broker, bill.id)));
        }
    }

    function _watchStablecoin(bytes32 id) private {
        _watchCore(abi.encodeCall(ICoreSwap.stablecoinInfo, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.stablecoinUSDValue, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.protocolFeeExempt, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.issuerPaidProtocolFeeRates, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.stablecoinPriceAdapters, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.stablecoinGuardrailBands, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.stablecoinGuardrailEnabled, (id)));
        _watchCore(abi.encodeCall(ICoreSwap.autoLiquidityStablecoinIDs, (id)));
    }

    function _watchCore(bytes memory data) private {
        _watch(address(core), data);
    }

    /// Asserts that the call reverts for a caller without the role, and that the error names the role.
    function _assertOnlyRole(bytes32 role, address caller, bytes memory data) internal {
        vm.assume(!core.hasRole(role, caller));
        _assertRevert(caller, address(core), data, _unauthorized(caller, role));
    }

    function _unauthorized(address account, bytes32 role) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
