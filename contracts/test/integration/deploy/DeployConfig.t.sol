// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ConfigTest} from "./ConfigTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";

/// @notice Tests values that are out of their bounds or contradict others. The error names the place, the value and
/// what is expected.
contract DeployConfigTest is ConfigTest {
    bytes32 private constant TBILL = "TBILL";
    string private constant NULL_ADDRESS = '"0x0000000000000000000000000000000000000000"';
    string private constant ANOTHER = "0x000000000000000000000000000000000000dEaD";
    string private constant RATE = "0 to 990000000000000000";
    string private constant TOO_HIGH = "990000000000000001";

    function test_Parse_Example_ReadsEverySection() public view {
        DeployConfig memory config = _example();
        assertEq(config.rwas[0].asset.id, TBILL);
        assertEq(config.stablecoins[0].rwas[1].index, 1);
        assertEq(config.stablecoins[0].stablecoins[0].index, 1);
        assertEq(config.stablecoins[1].rwaCustody, address(0));
        assertEq(config.treasury.lp.asset.id, bytes32("TRSY"));
        assertEq(config.treasury.lp.asset.decimals, 18);
        assertEq(config.treasury.lp.usdValueWad, 1e18);
        assertEq(config.treasury.lp.stablecoins.length, 2);
        assertEq(config.treasury.initialRateWad, 0.045e18);
        assertEq(config.treasury.managementFeeWad, 0.005e18);
    }

    function test_Parse_ExplicitIdsTokensAndGuardrails_AreKept() public view {
        string memory json = vm.readFile(EXAMPLE);
        string memory id = vm.toString(keccak256("id"));
        string memory account = vm.toString(DEPLOYER);
        json = _replaceAt(
            json, '"symbol": "CREDIT",\n      "id": null', string.concat('"symbol": "CREDIT",\n      "id": "', id, '"')
        );
        json = _replaceAt(
            json,
            '"symbol": "USDY",\n      "id": null,\n      "token": null',
            string.concat('"symbol": "USDY",\n      "id": null,\n      "token": "', account, '"')
        );
        json = vm.replace(
            json,
            '"guardrail": null',
            string.concat('"guardrail": { "priceAdapter": "', account, '", "bandWad": "5", "enabled": true }')
        );
        DeployConfig memory parsed = script.parse(json);
        assertEq(parsed.rwas[1].asset.id, keccak256("id"));
        assertEq(parsed.stablecoins[1].asset.token, DEPLOYER);
        assertEq(parsed.stablecoins[0].guardrail.priceAdapter, DEPLOYER);
        assertEq(parsed.treasury.lp.guardrail.bandWad, 5);
        assertTrue(parsed.stablecoins[0].guardrail.enabled);
    }

    function test_Parse_UnknownNetworkOrOtherChain_Reverts() public {
        _assertRefused('"network": "mainnet"', '"network": "local"', ".network", "local", "mainnet or sepolia");
        _assertRefused('"chainId": 1', '"chainId": 11155111', ".chainId", "11155111", "1 to 1");
        _assertRefused('"network": "mainnet"', '"network": "sepolia"', ".chainId", "1", "11155111 to 11155111");
    }

    function test_Parse_ZeroAccount_Reverts() public {
        string[6] memory roles = ["admin", "operator", "guardian", "blacklister", "externalPauser", "vault"];
        for (uint256 i; i < roles.length; ++i) {
            _assertZeroRefused(".roles.", roles[i]);
        }
        string[8] memory ofTreasury = [
            "admin", "operator", "pauser", "whitelister", "blacklister", "issuerAdmin", "delegateOperator", "ratePoster"
        ];
        for (uint256 i; i < ofTreasury.length; ++i) {
            _assertZeroRefused(".treasury.", ofTreasury[i]);
        }
        _assertZeroRefused(".rwas[1].", "navPoster");
        _assertZeroRefused(".stablecoins[1].", "issuerAdmin");
    }

    function test_Parse_NumberOutOfBounds_Reverts() public {
        _assertNumberRefused(".maxSwapLegs", "0", "1 to 32");
        _assertNumberRefused(".maxSwapLegs", "33", "1 to 32");
        _assertNumberRefused(".spreadProtocolTakeRateWad", "1000000000000000001", "0 to 1000000000000000000");
        _assertNumberRefused(".treasury.initialRateWad", "200000000000000001", "0 to 200000000000000000");
        _assertNumberRefused(".treasury.managementFeeWad", "50000000000000001", "0 to 50000000000000000");
        _assertNumberRefused(".treasury.issuerPaidProtocolFeeRateWad", TOO_HIGH, RATE);
        _assertNumberRefused(".treasury.rwas[0].discountRateWad", TOO_HIGH, RATE);
        _assertNumberRefused(".treasury.stablecoins[1].redemptionFeeWad", TOO_HIGH, RATE);
        _assertNumberRefused(".rwas[0].decimals", "19", "0 to 18");
        _assertNumberRefused(".rwas[1].decimals", "256", "0 to 18");
        _assertNumberRefused(".rwas[0].navWad", "0", string.concat("1 to ", vm.toString(type(uint192).max)));
        _assertNumberRefused(".rwas[0].maxMovePerPostWad", "0", "1 to 999999999999999999");
        _assertNumberRefused(".rwas[0].maxMovePerPostWad", "1000000000000000000", "1 to 999999999999999999");
        _assertNumberRefused(".rwas[0].maxMovePerDayWad", "1999999999999999", "2000000000000000 to 999999999999999999");
        _assertNumberRefused(".rwas[0].maxAgeSeconds", "18446744073709551616", "0 to 18446744073709551615");
        _assertNumberRefused(".stablecoins[0].decimals", "19", "0 to 18");
        _assertNumberRefused(".stablecoins[0].usdValueWad", "0", string.concat("1 to ", vm.toString(type(uint88).max)));
        _assertNumberRefused(".stablecoins[1].issuerPaidProtocolFeeRateWad", TOO_HIGH, RATE);
        _assertNumberRefused(".stablecoins[0].rwas[1].discountRateWad", TOO_HIGH, RATE);
        _assertNumberRefused(".stablecoins[0].rwas[1].redemptionFeeWad", TOO_HIGH, RATE);
        _assertNumberRefused(".stablecoins[0].stablecoins[0].acceptanceFeeWad", TOO_HIGH, RATE);
        _assertNumberRefused(".stablecoins[0].stablecoins[0].redemptionFeeWad", TOO_HIGH, RATE);
        string memory cap = string.concat("0 to ", vm.toString(type(uint96).max));
        string memory tooHigh = vm.toString(uint256(type(uint96).max) + 1);
        _assertNumberRefused(".stablecoins[0].rwas[1].intakeCap", tooHigh, cap);
        _assertNumberRefused(".treasury.stablecoins[1].intakeCap", tooHigh, cap);
    }

    function test_Parse_OwnIntakeCap_IsRequiredUnlessOneOtherAccountIsBothCustodies() public {
        string memory key = ".stablecoins[0].intakeCap";
        string memory json = _with(vm.readFile(EXAMPLE), "false", ".stablecoins[0].autoLiquidity");
        string[2] memory keys = [".stablecoins[0].rwaCustody", ".stablecoins[0].stablecoinCustody"];
        string memory reason = "null, since one account other than the delegate is both custodies";
        _assertParseRefused(_with(json, '"1"', key), key, "1", reason);
        script.parse(json);
        script.parse(_without(json, key));

        string[2] memory custodies = ["null", string.concat('"', ANOTHER, '"')];
        for (uint256 i; i < 4; ++i) {
            _assertRequiresAnOwnCap(_with(json, custodies[i / 2], keys[i % 2]), key);
        }
        _assertRequiresAnOwnCap(_with(_with(json, "null", keys[0]), "null", keys[1]), key);
    }

    function _assertRequiresAnOwnCap(string memory json, string memory key) private {
        string memory bounds = string.concat("0 to ", vm.toString(type(uint96).max));
        string memory tooHigh = vm.toString(uint256(type(uint96).max) + 1);
        _assertParseRefused(json, key, "null", bounds);
        _assertParseRefused(_without(json, key), key, "absent", bounds);
        _assertParseRefused(_with(json, string.concat('"', tooHigh, '"'), key), key, tooHigh, bounds);
        assertEq(script.parse(_with(json, '"7"', key)).stablecoins[0].intakeCap, 7);
    }

    function test_Parse_BadGuardrail_Reverts() public {
        string memory key = ".stablecoins[0].guardrail";
        string memory json = vm.readFile(EXAMPLE);
        string memory noBand = string.concat('{ "priceAdapter": "', ANOTHER, '", "bandWad": "0", "enabled": true }');
        _assertParseRefused(_with(json, noBand, key), string.concat(key, ".bandWad"), "0", "1 to 999999999999999999");
        string memory noAdapter =
            string.concat('{ "priceAdapter": ', NULL_ADDRESS, ', "bandWad": "1", "enabled": true }');
        _assertParseRefused(
            _with(json, noAdapter, key),
            string.concat(key, ".priceAdapter"),
            vm.toString(address(0)),
            "an address other than zero"
        );
    }

    function test_Parse_SymbolEmptyOrTooLong_Reverts() public {
        string memory json = vm.readFile(EXAMPLE);
        string memory long = "A symbol of more than 32 characters";
        string memory quoted = string.concat('"', long, '"');
        _assertParseRefused(_with(json, '""', ".rwas[0].symbol"), ".rwas[0].symbol", "", "a text");
        _assertParseRefused(_with(json, '""', ".rwas[0].name"), ".rwas[0].name", "", "a text");
        _assertParseRefused(
            _with(json, quoted, ".treasury.symbol"), ".treasury.symbol", long, "at most 32 bytes, or an id"
        );
        _assertParseRefused(
            _with(json, quoted, ".stablecoins[1].symbol"), ".stablecoins[1].symbol", long, "at most 32 bytes, or an id"
        );
    }

    function test_Parse_AssetDefinedTwice_Reverts() public {
        string memory json = vm.readFile(EXAMPLE);
        _assertParseRefused(
            _with(json, '"TBILL"', ".rwas[1].symbol"), ".rwas[1].symbol", "TBILL", "different from that of .rwas[0]"
        );
        _assertParseRefused(
            _with(json, '"USDX"', ".treasury.symbol"),
            ".treasury.symbol",
            "USDX",
            "different from that of .stablecoins[0]"
        );
        string memory id = vm.toString(TBILL);
        _assertParseRefused(
            _with(json, string.concat('"', id, '"'), ".stablecoins[0].id"),
            ".stablecoins[0].id",
            id,
            "different from that of .rwas[0]"
        );
        string memory token = string.concat('"', ANOTHER, '"');
        string memory changed = _with(_with(json, token, ".rwas[0].token"), token, ".stablecoins[1].token");
        _assertParseRefused(changed, ".stablecoins[1].token", ANOTHER, "different from that of .rwas[0]");
    }

    function test_Parse_RatesOfAnUnsuitableAsset_Revert() public {
        string memory json = vm.readFile(EXAMPLE);
        string memory plain = "the symbol of another plain stablecoin of this file";
        string memory key = ".stablecoins[0].stablecoins[0].symbol";
        _assertParseRefused(_with(json, '"USDZ"', key), key, "USDZ", plain);
        _assertParseRefused(_with(json, '"USDX"', key), key, "USDX", plain);
        _assertParseRefused(_with(json, '"TRSY"', key), key, "TRSY", plain);
        key = ".treasury.rwas[0].symbol";
        _assertParseRefused(_with(json, '"DEBIT"', key), key, "DEBIT", "the symbol of an RWA of this file");
        key = ".stablecoins[0].rwas[1].symbol";
        _assertParseRefused(_with(json, '"TBILL"', key), key, "TBILL", "an asset not listed before");
        key = ".treasury.stablecoins[1].symbol";
        _assertParseRefused(_with(json, '"USDX"', key), key, "USDX", "an asset not listed before");
    }

    function test_Parse_AutoLiquidityWithoutItsConditions_Reverts() public {
        string memory json = vm.readFile(EXAMPLE);
        string memory key = ".stablecoins[0].stablecoinCustody";
        string memory own = "an account other than the delegate and the treasury LP's custodies, for autoLiquidity";
        _assertParseRefused(_with(json, "null", key), key, "null", own);
        address shared = _example().treasury.lp.rwaCustody;
        string memory quoted = string.concat('"', vm.toString(shared), '"');
        _assertParseRefused(_with(json, quoted, key), key, vm.toString(shared), own);
        key = ".treasury.stablecoins[0].";
        string[2] memory rates = ["acceptanceFeeWad", "redemptionFeeWad"];
        string memory atMost = "at most 10000000000000000 (1 %), for autoLiquidity";
        for (uint256 i; i < rates.length; ++i) {
            string memory rate = string.concat(key, rates[i]);
            script.parse(_with(json, '"10000000000000000"', rate));
            _assertParseRefused(_with(json, '"10000000000000001"', rate), rate, "10000000000000001", atMost);
        }
        string memory cap = string.concat(key, "intakeCap");
        _assertParseRefused(_with(json, '"0"', cap), cap, "0", "more than 0, for autoLiquidity");
        json = vm.replace(
            json,
            '      { "symbol": "USDX", "acceptanceFeeWad": "0", "redemptionFeeWad": "100000000000000", "intakeCap": "10000000000000" },\n',
            ""
        );
        _assertParseRefused(
            json, ".stablecoins[0].autoLiquidity", "true", "a stablecoin that .treasury.stablecoins lists"
        );
    }

    function _assertRefused(
        string memory from,
        string memory to,
        string memory key,
        string memory value,
        string memory expected
    ) private {
        _assertParseRefused(_replaceAt(vm.readFile(EXAMPLE), from, to), key, value, expected);
    }

    function _assertZeroRefused(string memory section, string memory name) private {
        string memory key = string.concat(section, name);
        _assertParseRefused(
            _with(vm.readFile(EXAMPLE), NULL_ADDRESS, key), key, vm.toString(address(0)), "an address other than zero"
        );
    }

    function _assertNumberRefused(string memory key, string memory value, string memory expected) private {
        string memory json = _with(vm.readFile(EXAMPLE), string.concat('"', value, '"'), key);
        _assertParseRefused(json, key, value, expected);
    }

    function _replaceAt(string memory json, string memory from, string memory to) private pure returns (string memory) {
        string memory changed = vm.replace(json, from, to);
        assertNotEq(changed, json, "the example has what is replaced");
        return changed;
    }
}
