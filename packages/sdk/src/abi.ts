/** The views that the readers call, as the contracts declare them. */
import { parseAbi } from "viem";

export const coreSwapViews = parseAbi([
  "function rwaInfo(bytes32 rwaID) view returns (bool accepted, bool additionalRiskControls, uint8 decimals, address delegate, address assetAddress)",
  "function stablecoinInfo(bytes32 stablecoinID) view returns (bool accepted, bool yieldBearing, uint8 decimals, address delegate, address assetAddress)",
  "function rwaPriceAdapters(bytes32 rwaID) view returns (address)",
  "function stablecoinUSDValue(bytes32 stablecoinID) view returns (uint256)",
]);

export const delegateViews = parseAbi([
  "function stablecoinID() view returns (bytes32)",
  "function balanceSheetCustodyAddress() view returns (address)",
  "function stablecoinCustodyAddress() view returns (address)",
  "function getRWAColdStorageAddresses() view returns (address[])",
  "function getStablecoinColdStorageAddresses() view returns (address[])",
  "function rwaWhitelist(address rwa) view returns (bool)",
  "function stablecoinWhitelist(address stablecoin) view returns (bool)",
]);

export const yieldDelegateViews = parseAbi([
  "function credits(address user) view returns (uint256)",
  "function totalWithheldCredits(address user) view returns (uint256)",
  "function getYieldAmount(address user, uint256 redeemValue, bool stablecoinWithdrawal) view returns (uint256)",
]);

/** The events of a yield-bearing delegate that together name every account that ever received credits. */
export const creditEvents = parseAbi([
  "event PendingCreditsAdded(address indexed user, uint256 amount, uint256 depositDay)",
  "event CreditsMoved(address indexed from, address indexed to, uint256 withheldCredits, uint256 mainCredits)",
]);

export const priceAdapterViews = parseAbi(["function getPrice() view returns (uint256)"]);
