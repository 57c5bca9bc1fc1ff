// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ConfigTest} from "./ConfigTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";

/// @notice Fills in the example for production one placeholder at a time. Each remaining placeholder is refused by
/// name.
contract MainnetExampleTest is ConfigTest {
    string private constant MAINNET_EXAMPLE = "contracts/script/config/mainnet.example.json";
    string private constant ADDRESS = "an address other than zero";
    string private constant RATE = "0 to 990000000000000000";

    string private json;
    uint160 private filled;

    function test_Parse_MainnetExample_RefusesEveryPlaceholder() public {
        json = vm.readFile(MAINNET_EXAMPLE);
        _fillAccount(".timelock.proposer", ADDRESS);
        string[4] memory roles = ["guardian", "blacklister", "externalPauser", "vault"];
        for (uint256 i; i < roles.length; ++i) {
            _fillAccount(string.concat(".roles.", roles[i]), ADDRESS);
        }
        _fillNumber(".spreadProtocolTakeRateWad", "0 to 1000000000000000000");
        _fillText(".rwas[0].name", "Fund");
        _fillText(".rwas[0].symbol", "FUND");
        _fillAccount(".rwas[0].token", ADDRESS);
        _fillNumber(".rwas[0].decimals", "0 to 18");
        _fillNumber(".rwas[0].navWad", string.concat("1 to ", vm.toString(type(uint192).max)));
        _fillNumber(".rwas[0].maxMovePerPostWad", "1 to 999999999999999999");
        _fillNumber(".rwas[0].maxMovePerDayWad", "1 to 999999999999999999");
        _fillNumber(".rwas[0].maxAgeSeconds", "0 to 18446744073709551615");
        _fillAccount(".rwas[0].navPoster", ADDRESS);
        _fillText(".stablecoins[0].name", "Dollar");
        _fillText(".stablecoins[0].symbol", "USD");
        _fillAccount(".stablecoins[0].token", ADDRESS);
        _fillNumber(".stablecoins[0].decimals", "0 to 18");
        _fillNumber(".stablecoins[0].usdValueWad", string.concat("1 to ", vm.toString(type(uint88).max)));
        _fillLp(".stablecoins[0]");
        string[5] memory ofTreasury = ["pauser", "whitelister", "blacklister", "delegateOperator", "ratePoster"];
        for (uint256 i; i < ofTreasury.length; ++i) {
            _fillAccount(string.concat(".treasury.", ofTreasury[i]), ADDRESS);
        }
        _fillNumber(".treasury.initialRateWad", "0 to 200000000000000000");
        _fillNumber(".treasury.managementFeeWad", "0 to 50000000000000000");
        _fillText(".treasury.symbol", "TRSY");
        _fillLp(".treasury");
        _fillRates(".stablecoins[0].rwas[0]", "FUND", "discountRateWad");
        _fillRates(".treasury.rwas[0]", "FUND", "discountRateWad");
        _fillRates(".treasury.stablecoins[0]", "USD", "acceptanceFeeWad");
        _fillIntakeCap(".stablecoins[0]");

        DeployConfig memory config = script.parse(json);
        assertFalse(config.deployTestTokens);
        assertFalse(config.broadcastPartySteps);
        assertTrue(config.governedByTimelock);
        assertEq(config.timelock.delaySeconds, 1 days);
        assertEq(config.chainId, 1);
        assertEq(config.maxSwapLegs, 10);
    }

    function _fillLp(string memory key) private {
        _fillAccount(string.concat(key, ".issuerAdmin"), ADDRESS);
        _fillAccount(string.concat(key, ".rwaCustody"), string.concat(ADDRESS, ", or null"));
        _fillAccount(string.concat(key, ".stablecoinCustody"), string.concat(ADDRESS, ", or null"));
        _fillNumber(string.concat(key, ".issuerPaidProtocolFeeRateWad"), RATE);
    }

    function _fillRates(string memory key, string memory symbol, string memory rateIn) private {
        _fillText(string.concat(key, ".symbol"), symbol);
        _fillNumber(string.concat(key, ".", rateIn), RATE);
        _fillNumber(string.concat(key, ".redemptionFeeWad"), RATE);
        _fillIntakeCap(key);
    }

    function _fillIntakeCap(string memory key) private {
        _fillNumber(string.concat(key, ".intakeCap"), string.concat("0 to ", vm.toString(type(uint96).max)));
    }

    function _fillAccount(string memory key, string memory expected) private {
        _assertParseRefused(json, key, vm.toString(address(0)), expected);
        json = _with(json, string.concat('"', vm.toString(address(++filled)), '"'), key);
    }

    function _fillText(string memory key, string memory value) private {
        _assertParseRefused(json, key, "", "a text");
        json = _with(json, string.concat('"', value, '"'), key);
    }

    function _fillNumber(string memory key, string memory expected) private {
        _assertParseRefused(json, key, "null", expected);
        json = _with(json, '"1"', key);
    }
}
