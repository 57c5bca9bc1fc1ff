/**
 * The published signatures with which the oracle decodes, written by hand. They are deliberately not taken from the
 * compiled artifacts: an indexer and an oracle that shared an ABI would share its mistakes.
 */
import { parseAbi } from "viem";

/** Events of CoreSwap that move value or register assets. */
export const coreSwapEvents = parseAbi([
  "event Swap(address indexed user, bytes32 indexed assetInID, bytes32 indexed assetOutID, address operator, address receiver, uint256 routeId, bytes32 stablecoinDelegateID, uint256 amountIn, uint256 amountOut, uint256 issuerFeeAmt, uint256 spreadFeeAmt, uint256 lpFeeAmt)",
  "event RWAAcceptanceSet(bytes32 indexed rwaID, address indexed delegate, address indexed assetAddress, uint8 decimals, bool accepted)",
  "event StablecoinAcceptanceSet(bytes32 indexed stablecoinID, address indexed delegate, address indexed assetAddress, uint8 decimals, bool accepted, bool yieldBearing)",
  "event StablecoinPriceGuardrailSet(bytes32 indexed stablecoinID, address indexed priceAdapter, uint256 band)",
]);

/** The entrypoint of CoreSwap that makes a transaction economic. */
export const coreSwapCalls = parseAbi([
  "struct SwapInputs { uint256 routeId; bytes32 assetInID; bytes32 assetOutID; bytes32 stablecoinDelegateID; uint256 assetInAmt; uint256 assetOutAmt; }",
  "struct ApprovalPermit { uint256 deadline; bytes signature; }",
  "function swap(address user, address receiver, SwapInputs[] inputs, ApprovalPermit permit)",
]);

/** Views and setters of CoreSwap that the tests call. */
export const coreSwapFunctions = parseAbi([
  "function rwaInfo(bytes32 rwaID) view returns (bool accepted, bool additionalRiskControls, uint8 decimals, address delegate, address assetAddress)",
  "function stablecoinInfo(bytes32 stablecoinID) view returns (bool accepted, bool yieldBearing, uint8 decimals, address delegate, address assetAddress)",
  "function rwaPriceAdapters(bytes32 rwaID) view returns (address)",
  "function rwaWhitelistAdapters(bytes32 rwaID) view returns (address)",
  "function stablecoinPriceAdapters(bytes32 stablecoinID) view returns (address)",
  "function stablecoinGuardrailBands(bytes32 stablecoinID) view returns (uint256)",
  "function stablecoinGuardrailEnabled(bytes32 stablecoinID) view returns (bool)",
  "function stablecoinUSDValue(bytes32 stablecoinID) view returns (uint256)",
  "function issuerPaidProtocolFeeRates(bytes32 stablecoinID) view returns (uint256)",
  "function protocolFeeExempt(bytes32 stablecoinID) view returns (bool)",
  "function spreadProtocolTakeRate() view returns (uint256)",
  "function paused() view returns (bool)",
  "function discountRates(bytes32 stablecoinID, bytes32 rwaID) view returns (uint256)",
  "function redemptionFees(bytes32 stablecoinID, bytes32 rwaID) view returns (uint256)",
  "function stablecoinAcceptanceFees(bytes32 stablecoinOutID, address stablecoin) view returns (uint256)",
  "function stablecoinRedemptionFees(bytes32 stablecoinOutID, address stablecoin) view returns (uint256)",
  "function setRwaPriceAdapter(bytes32 rwaID, address priceAdapter)",
  "function setRWAAcceptance(bytes32 rwaID, address _delegate, address _assetAddress, bool _accepted)",
  "function setStablecoinAcceptance(bytes32 stablecoinID, address _delegate, address _assetAddress, bool _accepted, bool _yieldBearing)",
  "function OPERATOR_ROLE() view returns (bytes32)",
  "function getRoleMembers(bytes32 role) view returns (address[])",
]);

export const treasuryEvents = parseAbi([
  "event AddedToWhitelist(address indexed account)",
  "event RemovedFromWhitelist(address indexed account)",
]);

export const treasuryCalls = parseAbi([
  "function addToWhitelist(address account)",
  "function removeFromWhitelist(address account)",
]);

export const delegateEvents = parseAbi([
  "event IssuerAdminAdded(address indexed issuerAdmin)",
  "event IssuerAdminRemoved(address indexed issuerAdmin)",
]);

export const delegateFunctions = parseAbi(["function issuerAdmins(address account) view returns (bool)"]);

export const tokenFunctions = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
]);

export const priceAdapterFunctions = parseAbi(["function getPrice() view returns (uint256)"]);
