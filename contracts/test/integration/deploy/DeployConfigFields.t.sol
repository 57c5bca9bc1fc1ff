// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ConfigTest} from "./ConfigTest.sol";
import {JsonConfig} from "script/JsonConfig.sol";

/// @notice Tests every field of a configuration absent, null, misspelled and of a wrong kind. The error names the
/// field. {DeployConfigTest} tests bounds and dependencies between fields.
contract DeployConfigFieldsTest is ConfigTest {
    string private constant ADDRESS = "an address other than zero";
    string private constant RATE = "0 to 990000000000000000";
    string private constant CAP = "0 to 79228162514264337593543950335";
    string private constant GUARDRAIL =
        '{\n "priceAdapter": "0x000000000000000000000000000000000000dEaD",\n "bandWad": "1",\n "enabled": true\n }';

    function test_Parse_Account_Refused() public {
        string[6] memory roles = ["admin", "operator", "guardian", "blacklister", "externalPauser", "vault"];
        for (uint256 i; i < roles.length; ++i) {
            _assertRequired(string.concat(".roles.", roles[i]), ADDRESS);
        }
        string[8] memory ofTreasury = [
            "admin", "operator", "pauser", "whitelister", "blacklister", "issuerAdmin", "delegateOperator", "ratePoster"
        ];
        for (uint256 i; i < ofTreasury.length; ++i) {
            _assertRequired(string.concat(".treasury.", ofTreasury[i]), ADDRESS);
        }
        _assertRequired(".rwas[0].navPoster", ADDRESS);
        _assertRequired(".stablecoins[1].issuerAdmin", ADDRESS);
        _assertRequired(".stablecoins[0].guardrail.priceAdapter", ADDRESS);
    }

    function test_Parse_OptionalAccount_Refused() public {
        string[6] memory keys = [
            ".rwas[1].token",
            ".stablecoins[1].token",
            ".stablecoins[1].rwaCustody",
            ".stablecoins[1].stablecoinCustody",
            ".treasury.rwaCustody",
            ".treasury.stablecoinCustody"
        ];
        for (uint256 i; i < keys.length; ++i) {
            string memory expected = string.concat(ADDRESS, ", or null");
            _assertValueRefused(keys[i], '"some text"', "some text", expected);
            string memory zero = vm.toString(address(0));
            _assertValueRefused(keys[i], string.concat('"', zero, '"'), zero, expected);
            script.parse(_with(_text(), "null", keys[i]));
            script.parse(_without(_text(), keys[i]));
        }
    }

    function test_Parse_TokenMissing_WithoutTestTokens_Refused() public {
        string memory json = vm.replace(_text(), '"deployTestTokens": true', '"deployTestTokens": false');
        string[4] memory keys = [".rwas[0].token", ".rwas[1].token", ".stablecoins[0].token", ".stablecoins[1].token"];
        for (uint256 i; i < keys.length; ++i) {
            _assertParseRefused(json, keys[i], "null", ADDRESS);
            json = _with(json, string.concat('"', vm.toString(address(uint160(i + 1))), '"'), keys[i]);
            _assertParseRefused(_without(json, keys[i]), keys[i], "absent", ADDRESS);
        }
        script.parse(json);
    }

    function test_Parse_Text_Refused() public {
        string[10] memory keys = [
            ".network",
            ".treasury.symbol",
            ".rwas[1].name",
            ".rwas[1].symbol",
            ".stablecoins[1].name",
            ".stablecoins[1].symbol",
            ".treasury.rwas[0].symbol",
            ".treasury.stablecoins[1].symbol",
            ".stablecoins[0].rwas[1].symbol",
            ".stablecoins[0].stablecoins[0].symbol"
        ];
        for (uint256 i; i < keys.length; ++i) {
            string memory key = keys[i];
            _assertParseRefused(_with(_text(), "null", key), key, "null", "a text");
            _assertParseRefused(_with(_text(), '""', key), key, "", "a text");
            _assertParseRefused(_with(_text(), "[]", key), key, "a list or an object", "a text");
            _assertParseRefused(_without(_text(), key), key, "absent", "a text");
        }
    }

    function test_Parse_Number_Refused() public {
        string memory nav = string.concat("1 to ", vm.toString(type(uint192).max));
        string memory usdValue = string.concat("1 to ", vm.toString(type(uint88).max));
        _assertRequired(".chainId", "1 to 1");
        _assertRequired(".maxSwapLegs", "1 to 32");
        _assertRequired(".spreadProtocolTakeRateWad", "0 to 1000000000000000000");
        _assertRequired(".treasury.initialRateWad", "0 to 200000000000000000");
        _assertRequired(".treasury.managementFeeWad", "0 to 50000000000000000");
        _assertRequired(".treasury.issuerPaidProtocolFeeRateWad", RATE);
        _assertRequired(".treasury.rwas[0].discountRateWad", RATE);
        _assertRequired(".treasury.rwas[0].redemptionFeeWad", RATE);
        _assertRequired(".treasury.stablecoins[1].acceptanceFeeWad", RATE);
        _assertRequired(".treasury.stablecoins[1].redemptionFeeWad", RATE);
        _assertRequired(".rwas[1].decimals", "0 to 18");
        _assertRequired(".rwas[1].navWad", nav);
        _assertRequired(".rwas[1].maxMovePerPostWad", "1 to 999999999999999999");
        _assertRequired(".rwas[1].maxMovePerDayWad", "5000000000000000 to 999999999999999999");
        _assertRequired(".stablecoins[0].sweepAllowance", string.concat("1 to ", vm.toString(type(uint256).max)));
        _assertRequired(".rwas[1].maxAgeSeconds", "0 to 18446744073709551615");
        _assertRequired(".stablecoins[1].decimals", "0 to 18");
        _assertRequired(".stablecoins[1].usdValueWad", usdValue);
        _assertRequired(".stablecoins[1].issuerPaidProtocolFeeRateWad", RATE);
        _assertRequired(".stablecoins[0].rwas[1].discountRateWad", RATE);
        _assertRequired(".stablecoins[0].rwas[1].redemptionFeeWad", RATE);
        _assertRequired(".stablecoins[0].stablecoins[0].acceptanceFeeWad", RATE);
        _assertRequired(".stablecoins[0].stablecoins[0].redemptionFeeWad", RATE);
        _assertRequired(".treasury.rwas[0].intakeCap", CAP);
        _assertRequired(".stablecoins[0].stablecoins[0].intakeCap", CAP);
        _assertRequired(".stablecoins[0].guardrail.bandWad", "1 to 999999999999999999");
    }

    function test_Parse_Flag_Refused() public {
        string memory expected = "true or false";
        _assertRequired(".treasury.protocolFeeExempt", expected);
        _assertRequired(".stablecoins[1].protocolFeeExempt", expected);
        _assertRequired(".stablecoins[0].guardrail.enabled", expected);
        string[3] memory keys = [".deployTestTokens", ".broadcastPartySteps", ".stablecoins[0].autoLiquidity"];
        for (uint256 i; i < keys.length; ++i) {
            _assertValueRefused(keys[i], '"some text"', "some text", expected);
        }
        script.parse(_without(_text(), ".broadcastPartySteps"));
        script.parse(_with(_text(), "null", ".stablecoins[0].autoLiquidity"));
    }

    function test_Parse_Id_Refused() public {
        string memory expected = "32 bytes in hex other than zero, or null";
        string memory zero = vm.toString(bytes32(0));
        string[3] memory keys = [".treasury.id", ".rwas[1].id", ".stablecoins[1].id"];
        for (uint256 i; i < keys.length; ++i) {
            _assertValueRefused(keys[i], '"some text"', "some text", expected);
            _assertValueRefused(keys[i], '"0x12"', "0x12", expected);
            _assertValueRefused(keys[i], string.concat('"', zero, '"'), zero, expected);
            script.parse(_without(_text(), keys[i]));
        }
    }

    function test_Parse_List_Refused() public {
        string[6] memory keys = [
            ".rwas",
            ".stablecoins",
            ".treasury.rwas",
            ".treasury.stablecoins",
            ".stablecoins[0].rwas",
            ".stablecoins[0].stablecoins"
        ];
        for (uint256 i; i < keys.length; ++i) {
            string memory key = keys[i];
            _assertParseRefused(_without(_text(), key), key, "absent", "a list");
            _assertParseRefused(_with(_text(), "null", key), key, "null", "a list");
            _assertParseRefused(_with(_text(), '"TBILL"', key), key, "TBILL", "a list");
            _assertParseRefused(_with(_text(), '""', key), key, "", "a list");
            _assertParseRefused(_with(_text(), "{}", key), key, "a list or an object", "a list");
        }
        script.parse(_with(_text(), "[]", ".stablecoins[0].rwas"));
    }

    function test_Parse_Guardrail_Refused() public {
        string[2] memory keys = [".treasury.guardrail", ".stablecoins[1].guardrail"];
        for (uint256 i; i < keys.length; ++i) {
            string memory adapter = string.concat(keys[i], ".priceAdapter");
            _assertParseRefused(_with(_text(), '"some text"', keys[i]), adapter, "absent", ADDRESS);
            _assertParseRefused(_with(_text(), '{ "bandWad": 0 }', keys[i]), adapter, "absent", ADDRESS);
            script.parse(_without(_text(), keys[i]));
        }
    }

    function test_Parse_UnknownKey_Refused() public {
        string memory asset = "name, symbol, id, token, decimals";
        string memory lp =
            "issuerAdmin, furtherIssuerAdmins, rwaCustody, stablecoinCustody, rwaColdStorage, stablecoinColdStorage, issuerPaidProtocolFeeRateWad, protocolFeeExempt, guardrail, rwas, stablecoins";
        _assertUnknown(
            ".broadcastPartySteps",
            "network, chainId, deployTestTokens, broadcastPartySteps, governance, timelock, plainAccounts, roles, maxSwapLegs, spreadProtocolTakeRateWad, treasury, rwas, stablecoins"
        );
        _assertUnknown(".roles.vault", "admin, operator, guardian, blacklister, externalPauser, vault");
        _assertUnknown(
            ".treasury.stablecoinCustody",
            string.concat(
                "symbol, id, admin, operator, pauser, whitelister, blacklister, delegateOperator, ratePoster, initialRateWad, managementFeeWad, maxDailyRateWad, maxFallbackRateSeconds, bridges, ",
                lp
            )
        );
        _assertUnknown(
            ".rwas[1].maxAgeSeconds",
            string.concat(asset, ", navWad, maxMovePerPostWad, maxMovePerDayWad, maxAgeSeconds, navPoster")
        );
        string memory stablecoin = string.concat(asset, ", usdValueWad, autoLiquidity, sweepAllowance, intakeCap, ", lp);
        _assertUnknown(".stablecoins[0].autoLiquidity", stablecoin);
        _assertUnknown(".stablecoins[0].guardrail", stablecoin);
        _assertUnknown(".stablecoins[1].rwaCustody", stablecoin);
        _assertUnknown(".stablecoins[0].guardrail.enabled", "priceAdapter, bandWad, enabled");
        _assertUnknown(
            ".stablecoins[0].rwas[1].discountRateWad", "symbol, discountRateWad, redemptionFeeWad, intakeCap"
        );
        _assertUnknown(".treasury.stablecoins[1].symbol", "symbol, acceptanceFeeWad, redemptionFeeWad, intakeCap");
    }

    function _assertUnknown(string memory key, string memory accepted) private {
        vm.expectRevert(abi.encodeWithSelector(JsonConfig.UnknownKey.selector, string.concat(key, "_"), accepted));
        script.parse(_misspelled(_text(), key));
    }

    function _assertRequired(string memory key, string memory expected) private {
        _assertValueRefused(key, "null", "null", expected);
        _assertValueRefused(key, '"some text"', "some text", expected);
        _assertValueRefused(key, "[]", "a list or an object", expected);
        _assertParseRefused(_without(_text(), key), key, "absent", expected);
    }

    function _assertValueRefused(string memory key, string memory value, string memory shown, string memory expected)
        private
    {
        _assertParseRefused(_with(_text(), value, key), key, shown, expected);
    }

    /// @dev Returns the example with a guardrail.
    function _text() private view returns (string memory) {
        return _with(vm.readFile(EXAMPLE), GUARDRAIL, ".stablecoins[0].guardrail");
    }
}
