// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {JsonConfig} from "./JsonConfig.sol";
import {
    AccessControlEnumerableUpgradeable
} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlEnumerableUpgradeable.sol";
import {Script} from "forge-std/Script.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {StablecoinDelegateAdmin} from "src/components/StablecoinDelegateAdmin.sol";

/// @title StoredViews
/// @notice The proxies named in a deployment file, and for each kind the views of its storage: every setting, the
/// records of every asset and the holders of every role.
abstract contract StoredViews is Script {
    /// @notice No contract of this name is behind a proxy.
    error UnknownContract(string name);

    /// @notice Returns the proxies of one kind.
    /// @param file Text of the deployment file.
    /// @param name `coreSwap`, `treasury`, `treasuryDelegate` or `balanceSheetDelegate`.
    /// @return proxies Their addresses.
    function proxiesOf(string memory file, string memory name) public view returns (address[] memory proxies) {
        bytes32 kind = keccak256(bytes(name));
        if (kind == keccak256("balanceSheetDelegate")) return _addresses(file, ".stablecoins", ".delegate");
        proxies = new address[](1);
        if (kind == keccak256("coreSwap")) {
            proxies[0] = vm.parseJsonAddress(file, ".coreSwap");
        } else if (kind == keccak256("treasury")) {
            proxies[0] = vm.parseJsonAddress(file, ".treasury");
        } else if (kind == keccak256("treasuryDelegate")) {
            proxies[0] = vm.parseJsonAddress(file, ".treasuryStablecoin.delegate");
        } else {
            revert UnknownContract(name);
        }
    }

    /// @notice Returns the views of one kind.
    /// @param file Text of the deployment file.
    /// @param name As for {proxiesOf}.
    /// @return queries Call data.
    function viewsOf(string memory file, string memory name) public view returns (bytes[] memory queries) {
        bytes32 kind = keccak256(bytes(name));
        // More than any kind needs with 20 assets; shortened to the used length below.
        queries = new bytes[](4096);
        uint256 count;
        if (kind == keccak256("coreSwap")) count = _coreSwapViews(queries, file);
        else if (kind == keccak256("treasury")) count = _treasuryViews(queries, file);
        else if (kind == keccak256("treasuryDelegate")) count = _treasuryDelegateViews(queries, file);
        else if (kind == keccak256("balanceSheetDelegate")) count = _delegateViews(queries, 0, file);
        else revert UnknownContract(name);
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(queries, count)
        }
    }

    function _coreSwapViews(bytes[] memory queries, string memory file) private view returns (uint256 count) {
        CoreSwap c;
        queries[count++] = abi.encodeCall(c.paused, ());
        queries[count++] = abi.encodeCall(c.maxSwapLegs, ());
        queries[count++] = abi.encodeCall(c.spreadProtocolTakeRate, ());
        queries[count++] = abi.encodeCall(c.coreVault, ());
        queries[count++] = abi.encodeCall(c.DOMAIN_SEPARATOR, ());
        string[4] memory roles = ["", "OPERATOR_ROLE", "BLACKLISTER_ROLE", "EXTERNAL_PAUSER_ROLE"];
        for (uint256 i; i < roles.length; ++i) {
            queries[count++] = _roleMembers(roles[i]);
        }
        bytes32[] memory rwas = _ids(file, ".rwas");
        for (uint256 i; i < rwas.length; ++i) {
            queries[count++] = abi.encodeCall(c.rwaInfo, (rwas[i]));
            queries[count++] = abi.encodeCall(c.rwaPriceAdapters, (rwas[i]));
            queries[count++] = abi.encodeCall(c.rwaWhitelistAdapters, (rwas[i]));
        }
        bytes32[] memory stablecoins = _ids(file, ".stablecoins");
        address[] memory tokens = _addresses(file, ".stablecoins", ".token");
        for (uint256 i; i < stablecoins.length; ++i) {
            count = _stablecoinViews(queries, count, stablecoins[i], rwas, tokens);
        }
        bytes32 treasuryId = vm.parseJsonBytes32(file, ".treasuryStablecoin.id");
        count = _stablecoinViews(queries, count, treasuryId, rwas, tokens);
    }

    function _stablecoinViews(
        bytes[] memory queries,
        uint256 count,
        bytes32 id,
        bytes32[] memory rwas,
        address[] memory tokens
    ) private pure returns (uint256) {
        CoreSwap c;
        queries[count++] = abi.encodeCall(c.stablecoinInfo, (id));
        queries[count++] = abi.encodeCall(c.stablecoinUSDValue, (id));
        queries[count++] = abi.encodeCall(c.issuerPaidProtocolFeeRates, (id));
        queries[count++] = abi.encodeCall(c.protocolFeeExempt, (id));
        queries[count++] = abi.encodeCall(c.stablecoinPriceAdapters, (id));
        queries[count++] = abi.encodeCall(c.stablecoinGuardrailBands, (id));
        queries[count++] = abi.encodeCall(c.stablecoinGuardrailEnabled, (id));
        queries[count++] = abi.encodeCall(c.autoLiquidityStablecoinIDs, (id));
        for (uint256 i; i < rwas.length; ++i) {
            queries[count++] = abi.encodeCall(c.discountRates, (id, rwas[i]));
            queries[count++] = abi.encodeCall(c.redemptionFees, (id, rwas[i]));
        }
        for (uint256 i; i < tokens.length; ++i) {
            queries[count++] = abi.encodeCall(c.stablecoinAcceptanceFees, (id, tokens[i]));
            queries[count++] = abi.encodeCall(c.stablecoinRedemptionFees, (id, tokens[i]));
        }
        return count;
    }

    function _treasuryViews(bytes[] memory queries, string memory file) private view returns (uint256 count) {
        Treasury t;
        queries[count++] = abi.encodeCall(t.name, ());
        queries[count++] = abi.encodeCall(t.symbol, ());
        queries[count++] = abi.encodeCall(t.decimals, ());
        queries[count++] = abi.encodeCall(t.totalSupply, ());
        queries[count++] = abi.encodeCall(t.paused, ());
        queries[count++] = abi.encodeCall(t.DOMAIN_SEPARATOR, ());
        address delegate = vm.parseJsonAddress(file, ".treasuryStablecoin.delegate");
        queries[count++] = abi.encodeCall(t.balanceOf, (delegate));
        string[7] memory roles =
            ["", "OPERATOR_ROLE", "MINTER_ROLE", "BRIDGE_ROLE", "PAUSER_ROLE", "WHITELISTER_ROLE", "BLACKLISTER_ROLE"];
        for (uint256 i; i < roles.length; ++i) {
            queries[count++] = _roleMembers(roles[i]);
        }
        address[] memory bridges =
            Treasury(vm.parseJsonAddress(file, ".treasury")).getRoleMembers(keccak256("BRIDGE_ROLE"));
        for (uint256 i; i < bridges.length; ++i) {
            queries[count++] = abi.encodeCall(t.bridgeLimit, (bridges[i]));
        }
    }

    function _treasuryDelegateViews(bytes[] memory queries, string memory file) private view returns (uint256 count) {
        TreasuryDelegate d;
        count = _delegateViews(queries, 0, file);
        address issuerAdmin = vm.parseJsonAddress(file, ".treasuryStablecoin.issuerAdmin");
        queries[count++] = abi.encodeCall(d.issuerAdmins, (issuerAdmin));
        queries[count++] = abi.encodeCall(d.managementFee, ());
        queries[count++] = abi.encodeCall(d.maxDailyRate, ());
        queries[count++] = abi.encodeCall(d.maxFallbackRateSeconds, ());
        queries[count++] = abi.encodeCall(d.firstRateDay, ());
        queries[count++] = abi.encodeCall(d.lastRatePostingDay, ());
        queries[count++] = abi.encodeCall(d.treasury, ());
        queries[count++] = _roleMembers("OPERATOR_ROLE");
        queries[count++] = _roleMembers("RATE_POSTER_ROLE");
        TreasuryDelegate delegate = TreasuryDelegate(vm.parseJsonAddress(file, ".treasuryStablecoin.delegate"));
        uint256 last = delegate.lastRatePostingDay();
        // The last month; earlier days never change.
        for (uint256 day = last > 30 ? last - 30 : 0; day <= last + 1; ++day) {
            queries[count++] = abi.encodeCall(d.getDailyRate, (day));
        }
    }

    function _delegateViews(bytes[] memory queries, uint256 count, string memory file) private view returns (uint256) {
        StablecoinDelegateAdmin d;
        queries[count++] = abi.encodeCall(d.coreSwap, ());
        queries[count++] = abi.encodeCall(d.stablecoinID, ());
        queries[count++] = abi.encodeCall(d.stablecoinAddress, ());
        queries[count++] = abi.encodeCall(d.balanceSheetCustodyAddress, ());
        queries[count++] = abi.encodeCall(d.stablecoinCustodyAddress, ());
        queries[count++] = abi.encodeCall(d.emergencyPaused, ());
        queries[count++] = abi.encodeCall(d.issuerPaused, ());
        queries[count++] = abi.encodeCall(d.getRWAColdStorageAddresses, ());
        queries[count++] = abi.encodeCall(d.getStablecoinColdStorageAddresses, ());
        queries[count++] = _roleMembers("");
        queries[count++] = _roleMembers("PAUSE_ROLE");
        queries[count++] = _roleMembers("CORE_SWAP_CONTRACT");
        address[] memory accounts = _addresses(file, ".stablecoins", ".issuerAdmin");
        for (uint256 i; i < accounts.length; ++i) {
            queries[count++] = abi.encodeCall(d.issuerAdmins, (accounts[i]));
        }
        accounts = _addresses(file, ".rwas", ".token");
        for (uint256 i; i < accounts.length; ++i) {
            queries[count++] = abi.encodeCall(d.rwaWhitelist, (accounts[i]));
            queries[count++] = abi.encodeCall(d.intakeCap, (accounts[i]));
        }
        accounts = _addresses(file, ".stablecoins", ".token");
        for (uint256 i; i < accounts.length; ++i) {
            queries[count++] = abi.encodeCall(d.stablecoinWhitelist, (accounts[i]));
            queries[count++] = abi.encodeCall(d.intakeCap, (accounts[i]));
        }
        return count;
    }

    /// @dev The empty name means `DEFAULT_ADMIN_ROLE`.
    function _roleMembers(string memory role) private pure returns (bytes memory) {
        AccessControlEnumerableUpgradeable a;
        return abi.encodeCall(a.getRoleMembers, (bytes(role).length == 0 ? bytes32(0) : keccak256(bytes(role))));
    }

    function _ids(string memory file, string memory list) private view returns (bytes32[] memory ids) {
        ids = new bytes32[](JsonConfig.length(file, list));
        for (uint256 i; i < ids.length; ++i) {
            ids[i] = vm.parseJsonBytes32(file, string.concat(JsonConfig.item(list, i), ".id"));
        }
    }

    function _addresses(string memory file, string memory list, string memory field)
        private
        view
        returns (address[] memory addresses)
    {
        addresses = new address[](JsonConfig.length(file, list));
        for (uint256 i; i < addresses.length; ++i) {
            addresses[i] = vm.parseJsonAddress(file, string.concat(JsonConfig.item(list, i), field));
        }
    }
}
