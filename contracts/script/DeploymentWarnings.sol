// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AssetConfig, DeployConfig, RwaConfig, RwaRatesConfig, StablecoinConfig} from "./DeployConfig.sol";
import {LiquidityProviders} from "./Deployment.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title DeploymentWarnings
/// @notice Warns about settings that are valid but possibly unintended.
library DeploymentWarnings {
    using Strings for string;
    using Strings for uint256;

    uint256 private constant MIN_USUAL_VALUE_WAD = 0.0001e18;
    uint256 private constant MAX_USUAL_VALUE_WAD = 1_000_000e18;
    uint256 private constant MAX_USUAL_AMOUNT_USD_WAD = 10_000_000_000e18;

    /// @dev The LPs with which buying and selling an RWA is cheapest.
    struct BestTerms {
        bool found;
        uint256 redemptionFeeWad;
        string seller;
        uint256 discountRateWad;
        string buyer;
    }

    /// @notice Lists the warnings about a configuration.
    ///
    /// NAV sandwiches: whoever buys an RWA before a NAV post and sells it after gains the post's move less two rates,
    /// the redemption fee of the LP that sold it and the discount rate of the LP that buys it. These may be one LP or
    /// two. Each LP whose own two rates together are below the maximum move per post is named. If there is none, the
    /// two LPs with the lowest fee and the lowest rate are named, when those together are below it.
    ///
    /// Custody of the treasury LP: the delegate, when the configuration names no account. See {StablecoinConfig}.
    ///
    /// Mis-scaled values: a NAV or USD value far from that of any known asset, which may have been given in another unit.
    ///
    /// No maximum age: behind a timelock, an adapter that serves its NAV however long ago it was posted, which cannot be
    /// changed later.
    ///
    /// No recovery: a timelock with one proposer, which nobody can remove.
    ///
    /// Shared reserves: a custody that keeps its reserve in the treasury token and is also another LP's custody.
    ///
    /// No intake cap: 2^96-1, with which a stolen key can fill an LP with an asset within a day.
    ///
    /// Mis-scaled amounts: an intake cap or a sweep allowance far above any inflow, which may have been given for a token
    /// of more decimals. It would bound nothing.
    ///
    /// Other tokens: an existing token that calls itself otherwise than the configuration. CoreSwap binds the asset to it
    /// for life.
    /// @param config The configuration.
    /// @return warnings One text per warning.
    function list(DeployConfig memory config) internal view returns (string[] memory warnings) {
        uint256 lpCount = LiquidityProviders.count(config);
        // Of an RWA: two per LP, its token, its scale, its age and its best terms. Of a stablecoin: one per LP and its own
        // cap, its token, its scale and its sweep allowance. Of two LPs: a shared reserve.
        warnings = new string[](
            config.rwas.length * (2 * lpCount + 4) + config.stablecoins.length * (lpCount + 4) + lpCount * lpCount + 3
        );
        uint256 count;
        for (uint256 i; i < config.rwas.length; ++i) {
            count = _addSandwiches(config, i, warnings, count);
            count = _addOtherToken(config.rwas[i].asset, warnings, count);
            count = _addMisscaled(config.rwas[i].asset.symbol, config.rwas[i].navWad, warnings, count);
            if (config.governedByTimelock && config.rwas[i].maxAgeSeconds == 0) {
                warnings[count++] = string.concat(
                    config.rwas[i].asset.symbol,
                    ": maxAgeSeconds is 0: swaps go on at the last NAV however old it is, if its poster stops"
                );
            }
        }
        for (uint256 i; i < config.stablecoins.length; ++i) {
            StablecoinConfig memory stablecoin = config.stablecoins[i];
            count = _addOtherToken(stablecoin.asset, warnings, count);
            count = _addMisscaled(stablecoin.asset.symbol, stablecoin.usdValueWad, warnings, count);
        }
        string memory kept = " is null: what the delegate takes in, LP fees included, leaves it by swaps alone";
        if (config.treasury.lp.rwaCustody == address(0)) {
            warnings[count++] = string.concat(".treasury.rwaCustody", kept);
        }
        if (config.treasury.lp.stablecoinCustody == address(0)) {
            warnings[count++] = string.concat(".treasury.stablecoinCustody", kept);
        }
        if (config.governedByTimelock && config.timelock.recovery == address(0)) {
            warnings[count++] = ".timelock.recovery is null: nobody can remove the proposer, if it is stolen or lost";
        }
        count = _addSharedReserves(config.stablecoins, warnings, count);
        for (uint256 i; i < lpCount; ++i) {
            count = _addIntakes(config, LiquidityProviders.terms(config, i), warnings, count);
        }
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(warnings, count)
        }
    }

    /// @dev An asset of some dollars is beyond these bounds when it is given with 6, 8 or 27 digits instead of 18.
    function _addMisscaled(string memory symbol, uint256 valueWad, string[] memory warnings, uint256 count)
        private
        pure
        returns (uint256)
    {
        if (valueWad >= MIN_USUAL_VALUE_WAD && valueWad <= MAX_USUAL_VALUE_WAD) return count;
        warnings[count] = string.concat(symbol, " is below 0.0001 or above 1,000,000 USD per token: is this in WAD?");
        return count + 1;
    }

    /// @dev The configuration names a token by its address alone. Test tokens are deployed later.
    function _addOtherToken(AssetConfig memory asset, string[] memory warnings, uint256 count)
        private
        view
        returns (uint256)
    {
        if (asset.token == address(0)) return count;
        string memory name = _symbolOf(asset.token);
        if (name.equal(asset.symbol)) return count;
        warnings[count] = bytes(name).length == 0
            ? string.concat(asset.symbol, ": the token has no symbol")
            : string.concat(asset.symbol, ": the token calls itself ", name);
        return count + 1;
    }

    /// @dev Returns an empty text if there is no answer, or it is no text.
    function _symbolOf(address token) private view returns (string memory) {
        (bool success, bytes memory answer) = token.staticcall(abi.encodeCall(IERC20Metadata.symbol, ()));
        if (!success || answer.length < 64) return "";
        (uint256 start, uint256 length) = abi.decode(answer, (uint256, uint256));
        return start == 32 && length <= answer.length - 64 ? abi.decode(answer, (string)) : "";
    }

    function _addSharedReserves(StablecoinConfig[] memory stablecoins, string[] memory warnings, uint256 count)
        private
        pure
        returns (uint256)
    {
        for (uint256 i; i < stablecoins.length; ++i) {
            if (!stablecoins[i].autoLiquidity) continue;
            if (stablecoins[i].sweepAllowance == type(uint256).max) {
                warnings[count++] = string.concat(
                    stablecoins[i].asset.symbol,
                    "'s sweep allowance is unlimited: swaps can churn its reserve into rates"
                );
            } else {
                count = _addLargeAmount(
                    string.concat(stablecoins[i].asset.symbol, ": the sweep allowance"),
                    stablecoins[i].sweepAllowance,
                    stablecoins[i].asset,
                    stablecoins[i].usdValueWad,
                    warnings,
                    count
                );
            }
            for (uint256 j; j < stablecoins.length; ++j) {
                if (i == j || stablecoins[i].stablecoinCustody != stablecoins[j].stablecoinCustody) continue;
                string memory symbol = stablecoins[j].asset.symbol;
                warnings[count++] = string.concat(
                    stablecoins[i].asset.symbol,
                    "'s reserve: its custody is ",
                    symbol,
                    "'s, whose issuer admins can spend it"
                );
            }
        }
        return count;
    }

    function _addIntakes(
        DeployConfig memory config,
        StablecoinConfig memory lp,
        string[] memory warnings,
        uint256 count
    ) private pure returns (uint256) {
        string memory symbol = lp.asset.symbol;
        for (uint256 i; i < lp.rwas.length; ++i) {
            RwaConfig memory rwa = config.rwas[lp.rwas[i].index];
            string memory pair = string.concat(symbol, "/", rwa.asset.symbol);
            count = _addIntake(pair, lp.rwas[i].intakeCap, rwa.asset, rwa.navWad, warnings, count);
        }
        for (uint256 i; i < lp.stablecoins.length; ++i) {
            StablecoinConfig memory foreign = config.stablecoins[lp.stablecoins[i].index];
            string memory pair = string.concat(symbol, "/", foreign.asset.symbol);
            count = _addIntake(pair, lp.stablecoins[i].intakeCap, foreign.asset, foreign.usdValueWad, warnings, count);
        }
        return _addIntake(symbol, lp.intakeCap, lp.asset, lp.usdValueWad, warnings, count);
    }

    function _addIntake(
        string memory subject,
        uint96 intakeCap,
        AssetConfig memory asset,
        uint256 valueWad,
        string[] memory warnings,
        uint256 count
    ) private pure returns (uint256) {
        if (intakeCap == type(uint96).max) {
            warnings[count] = string.concat(subject, ": the intake cap is 2^96-1, which means none");
            return count + 1;
        }
        string memory what = string.concat(subject, ": the intake cap");
        return _addLargeAmount(what, intakeCap, asset, valueWad, warnings, count);
    }

    /// @dev An amount that is given with 18 digits for a token with 6 decimals is 10^12 times too large.
    function _addLargeAmount(
        string memory what,
        uint256 amount,
        AssetConfig memory asset,
        uint256 valueWad,
        string[] memory warnings,
        uint256 count
    ) private pure returns (uint256) {
        uint256 tokens = amount / 10 ** asset.decimals;
        if (valueWad == 0 || tokens <= MAX_USUAL_AMOUNT_USD_WAD / valueWad) return count;
        warnings[count] = string.concat(
            what,
            " is ",
            tokens.toString(),
            " whole ",
            asset.symbol,
            ", above 10 billion USD: is this in units of the token?"
        );
        return count + 1;
    }

    function _addSandwiches(DeployConfig memory config, uint256 index, string[] memory warnings, uint256 count)
        private
        pure
        returns (uint256)
    {
        RwaConfig memory rwa = config.rwas[index];
        string memory below = " is below the maximum NAV move per post";
        uint256 countBefore = count;
        BestTerms memory best;
        for (uint256 i; i < LiquidityProviders.count(config); ++i) {
            StablecoinConfig memory lp = LiquidityProviders.terms(config, i);
            for (uint256 j; j < lp.rwas.length; ++j) {
                RwaRatesConfig memory rates = lp.rwas[j];
                if (rates.index != index) continue;
                if (rates.discountRateWad + rates.redemptionFeeWad < rwa.maxMovePerPostWad) {
                    warnings[count++] = string.concat(
                        lp.asset.symbol, "/", rwa.asset.symbol, ": discount rate + redemption fee", below
                    );
                }
                _improve(best, rates, lp.asset.symbol);
            }
        }
        bool isBelow = best.found && best.redemptionFeeWad + best.discountRateWad < rwa.maxMovePerPostWad;
        if (isBelow && count == countBefore) {
            string memory path = string.concat(": bought from ", best.seller, " and sold to ", best.buyer);
            warnings[count++] = string.concat(rwa.asset.symbol, path, ", redemption fee + discount rate", below);
        }
        return count;
    }

    function _improve(BestTerms memory best, RwaRatesConfig memory rates, string memory symbol) private pure {
        if (!best.found || rates.redemptionFeeWad < best.redemptionFeeWad) {
            (best.redemptionFeeWad, best.seller) = (rates.redemptionFeeWad, symbol);
        }
        if (!best.found || rates.discountRateWad < best.discountRateWad) {
            (best.discountRateWad, best.buyer) = (rates.discountRateWad, symbol);
        }
        best.found = true;
    }
}
