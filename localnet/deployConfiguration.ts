/** The configuration from which `contracts/script/Deploy.s.sol` deploys to a local chain. */
import { parseEther } from "viem";
import { NO_DAILY_LIMIT } from "../packages/cli/src/text.ts";
import {
  type AssetSymbol,
  INTAKE_CAP_TOKENS,
  type PairTerms,
  RESERVED_STABLECOIN,
  RWA_SYMBOLS,
  RWAS,
  type RwaSymbol,
  STABLECOIN_SYMBOLS,
  STABLECOINS,
  type StablecoinTerms,
  TREASURY,
  wholeTokens,
} from "./assets.ts";
import { WALLETS } from "./wallets.ts";

/** Whole tokens that sweeps may deposit for a custody: more than a history takes in. */
const SWEEP_ALLOWANCE_TOKENS = 10_000_000_000n;

/** Returns the content of the configuration file of one network. */
export function deployConfiguration(network: "mainnet" | "sepolia", chainId: number) {
  const wad = (decimal: string) => parseEther(decimal).toString();
  const address = (name: keyof typeof WALLETS) => WALLETS[name].address;
  const intakeCap = (symbol: AssetSymbol) => wholeTokens(symbol, INTAKE_CAP_TOKENS).toString();
  const rwaTerms = (rwas: Readonly<Partial<Record<RwaSymbol, PairTerms>>>) =>
    Object.entries(rwas).map(([symbol, { discountRate, redemptionFee }]) => ({
      symbol,
      discountRateWad: wad(discountRate),
      redemptionFeeWad: wad(redemptionFee),
      intakeCap: intakeCap(symbol as RwaSymbol),
    }));
  const foreignTerms = ({ symbol, acceptanceFee, redemptionFee }: StablecoinTerms["foreign"]) => ({
    symbol,
    acceptanceFeeWad: wad(acceptanceFee),
    redemptionFeeWad: wad(redemptionFee),
    intakeCap: intakeCap(symbol),
  });
  const parties = {
    USDC: {
      issuerAdmin: address("usdcIssuerAdmin"),
      rwaCustody: address("usdcRwaCustody"),
      stablecoinCustody: address("usdcStablecoinCustody"),
      intakeCap: intakeCap("USDC"),
    },
    // The delegate keeps its assets itself. It has no cap, so that answers of the API show such an LP, too.
    DAI: {
      issuerAdmin: address("daiIssuerAdmin"),
      rwaCustody: null,
      stablecoinCustody: null,
      intakeCap: NO_DAILY_LIMIT.toString(),
    },
  };
  return {
    network,
    chainId,
    deployTestTokens: true,
    broadcastPartySteps: true,
    governance: "accounts",
    roles: {
      admin: address("admin"),
      operator: address("operator"),
      guardian: address("admin"),
      blacklister: address("blacklister"),
      externalPauser: address("pauser"),
      vault: address("vault"),
    },
    maxSwapLegs: 10,
    spreadProtocolTakeRateWad: wad("0.1"),
    treasury: {
      symbol: TREASURY.symbol,
      id: null,
      admin: address("admin"),
      operator: address("operator"),
      pauser: address("pauser"),
      whitelister: address("whitelister"),
      blacklister: address("blacklister"),
      issuerAdmin: address("treasuryIssuerAdmin"),
      delegateOperator: address("admin"),
      ratePoster: address("ratePoster"),
      rwaCustody: address("treasuryRwaCustody"),
      stablecoinCustody: address("treasuryStablecoinCustody"),
      initialRateWad: wad(TREASURY.initialRate),
      managementFeeWad: wad(TREASURY.managementFee),
      issuerPaidProtocolFeeRateWad: wad(TREASURY.issuerPaidProtocolFeeRate),
      protocolFeeExempt: false,
      guardrail: null,
      rwas: rwaTerms(TREASURY.rwas),
      stablecoins: STABLECOIN_SYMBOLS.map((symbol) => foreignTerms({ symbol, ...TREASURY.foreign })),
    },
    rwas: RWA_SYMBOLS.map((symbol) => ({
      name: RWAS[symbol].name,
      symbol,
      id: null,
      token: null,
      decimals: RWAS[symbol].decimals,
      navWad: RWAS[symbol].priceWad.toString(),
      maxMovePerPostWad: RWAS[symbol].maxMovePerPostWad.toString(),
      // Histories and demos post a NAV many times a day.
      maxMovePerDayWad: wad("0.5"),
      maxAgeSeconds: 0,
      navPoster: address("navPoster"),
    })),
    stablecoins: STABLECOIN_SYMBOLS.map((symbol) => {
      const { name, decimals, priceWad, issuerPaidProtocolFeeRate, rwas, foreign } = STABLECOINS[symbol];
      return {
        name,
        symbol,
        id: null,
        token: null,
        decimals,
        ...parties[symbol],
        usdValueWad: priceWad.toString(),
        issuerPaidProtocolFeeRateWad: wad(issuerPaidProtocolFeeRate),
        protocolFeeExempt: false,
        autoLiquidity: symbol === RESERVED_STABLECOIN,
        sweepAllowance: symbol === RESERVED_STABLECOIN ? wholeTokens(symbol, SWEEP_ALLOWANCE_TOKENS).toString() : null,
        // Set after deployment, when its price adapter exists.
        guardrail: null,
        rwas: rwaTerms(rwas),
        stablecoins: [foreignTerms(foreign)],
      };
    }),
  };
}
