// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployTest} from "./DeployTest.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {DeployConfig, RwaConfig, RwaRatesConfig, StablecoinConfig} from "script/DeployConfig.sol";
import {TestToken} from "script/local/TestToken.sol";

/// @notice In the example, three LPs deal in TBILL at 0.1 % or more each way, and only USDX deals in CREDIT.
contract DeploymentWarningsTest is DeployTest {
    string private constant BELOW = " is below the maximum NAV move per post";
    uint256 private constant TREASURY = 2;

    function test_Warnings_Example_AreNone() public view {
        _assertWarnings(_example(), new string[](0));
    }

    function test_Warnings_ValueInAnotherScale_NamesTheAsset() public view {
        string memory question = " is below 0.0001 or above 1,000,000 USD per token: is this in WAD?";
        DeployConfig memory config = _example();
        // The caps of USDY are not what is warned of.
        config.stablecoins[0].stablecoins[0].intakeCap = config.treasury.lp.stablecoins[1].intakeCap = 1;
        config.stablecoins[1].intakeCap = 1;
        config.rwas[0].navWad = 0.0001e18;
        config.stablecoins[1].usdValueWad = 1_000_000e18;
        _assertWarnings(config, new string[](0));
        config.rwas[0].navWad -= 1;
        _assertWarning(config, string.concat("TBILL", question));
        config.rwas[0].navWad += 1;
        config.stablecoins[1].usdValueWad += 1;
        _assertWarning(config, string.concat("USDY", question));
    }

    function test_Warnings_NavWithoutAMaximumAgeBehindATimelock_NamesTheAsset() public view {
        DeployConfig memory config = _example();
        config.governedByTimelock = true;
        config.timelock.recovery = address(1);
        (config.rwas[0].maxAgeSeconds, config.rwas[1].maxAgeSeconds) = (1, 0);
        _assertWarning(
            config, "CREDIT: maxAgeSeconds is 0: swaps go on at the last NAV however old it is, if its poster stops"
        );
        config.rwas[1].maxAgeSeconds = 1;
        _assertWarnings(config, new string[](0));
    }

    function test_Warnings_TimelockWithoutARecovery() public view {
        DeployConfig memory config = _example();
        config.governedByTimelock = true;
        config.rwas[0].maxAgeSeconds = config.rwas[1].maxAgeSeconds = 1;
        _assertWarning(config, ".timelock.recovery is null: nobody can remove the proposer, if it is stolen or lost");
        config.timelock.recovery = address(1);
        _assertWarnings(config, new string[](0));
    }

    function test_Warnings_UnlimitedSweepAllowance_NamesTheStablecoin() public view {
        DeployConfig memory config = _example();
        config.stablecoins[0].sweepAllowance = type(uint256).max;
        _assertWarning(config, "USDX's sweep allowance is unlimited: swaps can churn its reserve into rates");
    }

    function test_Warnings_UnlimitedIntake_NamesEachAssetOfEachLp() public view {
        DeployConfig memory config = _example();
        config.stablecoins[0].rwas[1].intakeCap = type(uint96).max;
        config.stablecoins[1].intakeCap = type(uint96).max;
        config.treasury.lp.stablecoins[0].intakeCap = type(uint96).max;
        string memory unlimited = ": the intake cap is 2^96-1, which means none";
        string[] memory expected = new string[](3);
        expected[0] = string.concat("USDX/CREDIT", unlimited);
        expected[1] = string.concat("USDY", unlimited);
        expected[2] = string.concat("TRSY/USDX", unlimited);
        _assertWarnings(config, expected);
    }

    /// A cap with 18 digits for a token with 6 decimals, for example, is never reached.
    function test_Warnings_AmountAboveTenBillionDollars_NamesItInWholeTokens() public view {
        DeployConfig memory config = _example();
        config.stablecoins[1].usdValueWad = 2e18;
        config.stablecoins[0].rwas[0].intakeCap = 10_000_000e18;
        config.stablecoins[0].stablecoins[0].intakeCap = 5_000_000_001e18;
        config.stablecoins[0].intakeCap = 10_000_000_001e6;
        config.stablecoins[0].sweepAllowance = 7e30;
        config.treasury.lp.stablecoins[0].intakeCap = type(uint96).max - 1;
        string memory question = ", above 10 billion USD: is this in units of the token?";
        string[] memory expected = new string[](5);
        expected[0] = string.concat("USDX: the sweep allowance is 7000000000000000000000000 whole USDX", question);
        expected[1] = string.concat("USDX/TBILL: the intake cap is 10000000000000000000 whole TBILL", question);
        expected[2] = string.concat("USDX/USDY: the intake cap is 5000000001 whole USDY", question);
        expected[3] = string.concat("USDX: the intake cap is 10000000001 whole USDX", question);
        expected[4] = string.concat("TRSY/USDX: the intake cap is 79228162514264337593543 whole USDX", question);
        _assertWarnings(config, expected);
    }

    function test_Warnings_AmountOfTenBillionDollars_IsNone() public view {
        DeployConfig memory config = _example();
        config.stablecoins[1].usdValueWad = 2e18;
        config.stablecoins[0].stablecoins[0].intakeCap = 5_000_000_000e18;
        config.stablecoins[0].intakeCap = 10_000_000_000e6;
        config.stablecoins[0].sweepAllowance = 10_000_000_000e6;
        _assertWarnings(config, new string[](0));
    }

    /// The address of a token is easily that of another one, with the same decimals.
    function test_Warnings_TokenOfAnotherSymbol_NamesBoth() public {
        DeployConfig memory config = _example();
        config.rwas[0].asset.token = address(new TestToken("Treasury bills", "TBILL", 6));
        config.stablecoins[1].asset.token = address(new TestToken("Another dollar", "USDZ", 18));
        _assertWarning(config, "USDY: the token calls itself USDZ");
        config.stablecoins[1].asset.symbol = "USDZ";
        _assertWarnings(config, new string[](0));
    }

    function test_Warnings_TokenWithoutASymbol_IsNamed() public {
        DeployConfig memory config = _example();
        config.rwas[1].asset.token = makeAddr("token");
        string memory unnamed = "CREDIT: the token has no symbol";
        _assertWarning(config, unnamed);
        bytes[5] memory answers = [
            abi.encode(""),
            abi.encode(bytes32("CREDIT")),
            abi.encode(uint256(64), uint256(0), uint256(0)),
            abi.encode(uint256(32), uint256(7)),
            abi.encode(uint256(32), type(uint256).max)
        ];
        for (uint256 i; i < answers.length; ++i) {
            vm.mockCall(config.rwas[1].asset.token, abi.encodeCall(IERC20Metadata.symbol, ()), answers[i]);
            _assertWarning(config, unnamed);
        }
        vm.mockCallRevert(config.rwas[1].asset.token, abi.encodeCall(IERC20Metadata.symbol, ()), "");
        _assertWarning(config, unnamed);
    }

    function test_Warnings_PairBelowTheMaximumMove_NamesThePair() public view {
        DeployConfig memory config = _example();
        config.rwas[1].maxMovePerPostWad += 1;
        _assertWarning(config, _ofPair("USDX/CREDIT"));
    }

    function test_Warnings_LpsThatTogetherAreBelowTheMaximumMove_NamesBoth() public view {
        DeployConfig memory config = _example();
        // Each LP's own two rates add up to 0.3 %, above the 0.2 % of TBILL; the lowest redemption fee and the lowest
        // discount rate do not.
        _setTbill(config, 0, 0.0012e18, 0.0018e18);
        _setTbill(config, 1, 0.0022e18, 0.0008e18 - 1);
        _setTbill(config, TREASURY, 0.0015e18, 0.0015e18);
        _assertWarning(config, _acrossLps("TBILL", "USDY", "USDX"));
        _setTbill(config, 1, 0.0022e18, 0.0008e18);
        _assertWarnings(config, new string[](0));
        _setTbill(config, TREASURY, 0.0012e18 - 1, 0.0018e18);
        _assertWarning(config, _acrossLps("TBILL", "USDY", "TRSY"));
    }

    function test_Warnings_PairBelowTheMaximumMove_StandsForTheLpsTogether() public view {
        DeployConfig memory config = _example();
        _setTbill(config, 0, 0, 0.003e18);
        _setTbill(config, 1, 0.003e18, 0);
        _setTbill(config, TREASURY, 0.001e18, 0.0005e18);
        _assertWarning(config, _ofPair("TRSY/TBILL"));
    }

    function test_Warnings_EveryPairAndRwaBelow_AreListed() public view {
        DeployConfig memory config = _example();
        config.rwas[0].maxMovePerPostWad = 0.003e18;
        config.rwas[1].maxMovePerPostWad = 0.1e18;
        string[] memory expected = new string[](3);
        expected[0] = _ofPair("USDX/TBILL");
        expected[1] = _ofPair("TRSY/TBILL");
        expected[2] = _ofPair("USDX/CREDIT");
        _assertWarnings(config, expected);
    }

    function test_Warnings_RwaThatNobodyDealsIn_IsNone() public view {
        DeployConfig memory config = _example();
        config.rwas[0].maxMovePerPostWad = 0.9e18;
        for (uint256 i; i < config.stablecoins.length; ++i) {
            config.stablecoins[i].rwas = new RwaRatesConfig[](0);
        }
        config.treasury.lp.rwas = new RwaRatesConfig[](0);
        _assertWarnings(config, new string[](0));
    }

    function test_Warnings_TreasuryDelegateAsItsOwnCustody_NamesTheField() public view {
        DeployConfig memory config = _example();
        config.treasury.lp.rwaCustody = address(0);
        config.treasury.lp.stablecoinCustody = address(0);
        string memory kept = " is null: what the delegate takes in, LP fees included, leaves it by swaps alone";
        string[] memory expected = new string[](2);
        expected[0] = string.concat(".treasury.rwaCustody", kept);
        expected[1] = string.concat(".treasury.stablecoinCustody", kept);
        _assertWarnings(config, expected);
    }

    function test_Warnings_ReserveInASharedCustody_NamesBothLps() public view {
        DeployConfig memory config = _example();
        config.stablecoins[1].stablecoinCustody = config.stablecoins[0].stablecoinCustody;
        string[] memory expected = new string[](2);
        expected[0] = "USDX's reserve: its custody is USDY's, whose issuer admins can spend it";
        expected[1] = "USDY's reserve: its custody is USDX's, whose issuer admins can spend it";
        _assertWarning(config, expected[0]);
        config.stablecoins[1].autoLiquidity = true;
        _assertWarnings(config, expected);
        config.stablecoins[0].autoLiquidity = config.stablecoins[1].autoLiquidity = false;
        _assertWarnings(config, new string[](0));
    }

    function testFuzz_Warnings_TwoLps_BelowTheMaximumMoveOnly(
        uint64[2] memory discounts,
        uint64[2] memory fees,
        uint64 maxMove
    ) public view {
        // Reading the example from the file a thousand times would be slow.
        DeployConfig memory config;
        config.rwas = new RwaConfig[](1);
        (config.rwas[0].navWad, config.rwas[0].maxMovePerPostWad) = (1e18, maxMove);
        config.stablecoins = new StablecoinConfig[](2);
        config.treasury.lp.rwaCustody = config.treasury.lp.stablecoinCustody = DEPLOYER;
        uint256 least = type(uint256).max;
        uint256 pairsBelow;
        for (uint256 i; i < 2; ++i) {
            config.stablecoins[i].rwas = new RwaRatesConfig[](1);
            config.stablecoins[i].usdValueWad = 1e18;
            _setTbill(config, i, discounts[i], fees[i]);
            if (uint256(discounts[i]) + fees[i] < maxMove) ++pairsBelow;
            for (uint256 j; j < 2; ++j) {
                uint256 cost = uint256(discounts[i]) + fees[j];
                if (cost < least) least = cost;
            }
        }
        uint256 expected = pairsBelow != 0 ? pairsBelow : least < maxMove ? 1 : 0;
        assertEq(script.warnings(config).length, expected);
    }

    /// @dev TBILL is the first RWA that each LP of the example lists.
    function _setTbill(DeployConfig memory config, uint256 lp, uint256 discountRateWad, uint256 redemptionFeeWad)
        private
        pure
    {
        RwaRatesConfig memory rates = lp == TREASURY ? config.treasury.lp.rwas[0] : config.stablecoins[lp].rwas[0];
        (rates.discountRateWad, rates.redemptionFeeWad) = (discountRateWad, redemptionFeeWad);
    }

    function _ofPair(string memory pair) private pure returns (string memory) {
        return string.concat(pair, ": discount rate + redemption fee", BELOW);
    }

    function _acrossLps(string memory rwa, string memory source, string memory target)
        private
        pure
        returns (string memory)
    {
        return string.concat(
            rwa, ": bought from ", source, " and sold to ", target, ", redemption fee + discount rate", BELOW
        );
    }

    function _assertWarning(DeployConfig memory config, string memory warning) private view {
        string[] memory expected = new string[](1);
        expected[0] = warning;
        _assertWarnings(config, expected);
    }

    function _assertWarnings(DeployConfig memory config, string[] memory expected) private view {
        assertEq(script.warnings(config), expected);
    }
}
