/** Events and calls in the form that Subsquid's `squid-evm-typegen` writes them. */
import { event, fun, indexed, keccak256 } from "@subsquid/evm-abi";
import { address, array, bool, bytes, bytes32, struct, uint8, uint256 } from "@subsquid/evm-codec";

const topic = (signature: string) => `0x${keccak256(signature).toString("hex")}`;
const selector = (signature: string) => topic(signature).slice(0, 10);

function named<const Args extends Parameters<typeof event>[2]>(signature: string, args: Args) {
  return event(topic(signature), signature, args);
}

export const swapEvent = named(
  "Swap(address,bytes32,bytes32,address,address,uint256,bytes32,uint256,uint256,uint256,uint256,uint256)",
  {
    user: indexed(address),
    assetInID: indexed(bytes32),
    assetOutID: indexed(bytes32),
    operator: address,
    receiver: address,
    routeId: uint256,
    stablecoinDelegateID: bytes32,
    amountIn: uint256,
    amountOut: uint256,
    issuerFeeAmt: uint256,
    spreadFeeAmt: uint256,
    lpFeeAmt: uint256,
  },
);

export const stablecoinAcceptanceSet = named("StablecoinAcceptanceSet(bytes32,address,address,uint8,bool,bool)", {
  stablecoinID: indexed(bytes32),
  delegate: indexed(address),
  assetAddress: indexed(address),
  decimals: uint8,
  accepted: bool,
  yieldBearing: bool,
});

export const rwaAcceptanceSet = named("RWAAcceptanceSet(bytes32,address,address,uint8,bool)", {
  rwaID: indexed(bytes32),
  delegate: indexed(address),
  assetAddress: indexed(address),
  decimals: uint8,
  accepted: bool,
});

export const rwaPriceAdapterSet = named("RwaPriceAdapterSet(bytes32,address)", {
  rwaID: indexed(bytes32),
  priceAdapter: address,
});

export const addedToWhitelist = named("AddedToWhitelist(address)", { account: indexed(address) });
export const removedFromWhitelist = named("RemovedFromWhitelist(address)", { account: indexed(address) });
export const issuerAdminAdded = named("IssuerAdminAdded(address)", { issuerAdmin: indexed(address) });
export const issuerAdminRemoved = named("IssuerAdminRemoved(address)", { issuerAdmin: indexed(address) });

const SWAP = "swap(address,address,(uint256,bytes32,bytes32,bytes32,uint256,uint256)[],(uint256,bytes))";

export const swapCall = fun(selector(SWAP), SWAP, {
  user: address,
  receiver: address,
  inputs: array(
    struct({
      routeId: uint256,
      assetInID: bytes32,
      assetOutID: bytes32,
      stablecoinDelegateID: bytes32,
      assetInAmt: uint256,
      assetOutAmt: uint256,
    }),
  ),
  permit: struct({ deadline: uint256, signature: bytes }),
});

export const addToWhitelistCall = fun(selector("addToWhitelist(address)"), "addToWhitelist(address)", {
  account: address,
});
export const removeFromWhitelistCall = fun(selector("removeFromWhitelist(address)"), "removeFromWhitelist(address)", {
  account: address,
});
