export const coreSwapAbi = [
 {
  "name": "hasRole",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "grantRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "revokeRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "renounceRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "callerConfirmation"
   }
  ],
  "outputs": []
 },
 {
  "name": "getRoleAdmin",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "getRoleMember",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "uint256",
    "name": "index"
   }
  ],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "getRoleMemberCount",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "getRoleMembers",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "address[]"
   }
  ]
 },
 {
  "name": "supportsInterface",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes4",
    "name": "interfaceId"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "upgradeToAndCall",
  "type": "function",
  "stateMutability": "payable",
  "inputs": [
   {
    "type": "address",
    "name": "newImplementation"
   },
   {
    "type": "bytes",
    "name": "data"
   }
  ],
  "outputs": []
 },
 {
  "name": "proxiableUUID",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "UPGRADE_INTERFACE_VERSION",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "string"
   }
  ]
 },
 {
  "name": "paused",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "pause",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "unpause",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "DEFAULT_ADMIN_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "Initialized",
  "type": "event",
  "inputs": [
   {
    "type": "uint64",
    "name": "version"
   }
  ]
 },
 {
  "name": "Paused",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "Unpaused",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "Upgraded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "implementation",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleAdminChanged",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "previousAdminRole",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "newAdminRole",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleGranted",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "address",
    "name": "sender",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleRevoked",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "address",
    "name": "sender",
    "indexed": true
   }
  ]
 },
 {
  "name": "AccessControlBadConfirmation",
  "type": "error",
  "inputs": []
 },
 {
  "name": "AccessControlUnauthorizedAccount",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   },
   {
    "type": "bytes32",
    "name": "neededRole"
   }
  ]
 },
 {
  "name": "AddressEmptyCode",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "target"
   }
  ]
 },
 {
  "name": "ERC1967InvalidImplementation",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "implementation"
   }
  ]
 },
 {
  "name": "ERC1967NonPayable",
  "type": "error",
  "inputs": []
 },
 {
  "name": "EnforcedPause",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ExpectedPause",
  "type": "error",
  "inputs": []
 },
 {
  "name": "FailedCall",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidInitialization",
  "type": "error",
  "inputs": []
 },
 {
  "name": "NotInitializing",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ReentrancyGuardReentrantCall",
  "type": "error",
  "inputs": []
 },
 {
  "name": "UUPSUnauthorizedCallContext",
  "type": "error",
  "inputs": []
 },
 {
  "name": "UUPSUnsupportedProxiableUUID",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "slot"
   }
  ]
 },
 {
  "name": "initialize",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "admin"
   },
   {
    "type": "address",
    "name": "operator"
   },
   {
    "type": "address",
    "name": "vault"
   }
  ],
  "outputs": []
 },
 {
  "name": "quoteSwap",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "tuple",
    "name": "inputs",
    "components": [
     {
      "type": "uint256",
      "name": "routeId"
     },
     {
      "type": "bytes32",
      "name": "assetInID"
     },
     {
      "type": "bytes32",
      "name": "assetOutID"
     },
     {
      "type": "bytes32",
      "name": "stablecoinDelegateID"
     },
     {
      "type": "uint256",
      "name": "assetInAmt"
     },
     {
      "type": "uint256",
      "name": "assetOutAmt"
     }
    ]
   }
  ],
  "outputs": [
   {
    "type": "tuple",
    "components": [
     {
      "type": "uint256",
      "name": "tokenInAmt"
     },
     {
      "type": "uint256",
      "name": "tokenOutAmt"
     },
     {
      "type": "uint256",
      "name": "issuerFeeAmt"
     },
     {
      "type": "uint256",
      "name": "spreadFeeAmt"
     },
     {
      "type": "uint256",
      "name": "lpFeeAmt"
     }
    ]
   }
  ]
 },
 {
  "name": "swap",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "address",
    "name": "receiver"
   },
   {
    "type": "tuple[]",
    "name": "inputs",
    "components": [
     {
      "type": "uint256",
      "name": "routeId"
     },
     {
      "type": "bytes32",
      "name": "assetInID"
     },
     {
      "type": "bytes32",
      "name": "assetOutID"
     },
     {
      "type": "bytes32",
      "name": "stablecoinDelegateID"
     },
     {
      "type": "uint256",
      "name": "assetInAmt"
     },
     {
      "type": "uint256",
      "name": "assetOutAmt"
     }
    ]
   },
   {
    "type": "tuple",
    "name": "permit",
    "components": [
     {
      "type": "uint256",
      "name": "deadline"
     },
     {
      "type": "bytes",
      "name": "signature"
     }
    ]
   }
  ],
  "outputs": []
 },
 {
  "name": "adjustSwapInputAllowance",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "operator"
   },
   {
    "type": "bytes32",
    "name": "assetInID"
   },
   {
    "type": "uint256",
    "name": "amount"
   },
   {
    "type": "bool",
    "name": "increase"
   }
  ],
  "outputs": []
 },
 {
  "name": "swapInputAllowances",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "address",
    "name": "operator"
   },
   {
    "type": "bytes32",
    "name": "assetInID"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "nonces",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "owner"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "DOMAIN_SEPARATOR",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "autoLiquidityStablecoinIDs",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "blacklisted",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "discountRates",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "bytes32",
    "name": "rwaID"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "issuerPaidProtocolFeeRates",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "coreVault",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "protocolFeeExempt",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "redemptionFees",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "bytes32",
    "name": "rwaID"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "rwaInfo",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   }
  ],
  "outputs": [
   {
    "type": "bool",
    "name": "accepted"
   },
   {
    "type": "bool",
    "name": "additionalRiskControls"
   },
   {
    "type": "uint8",
    "name": "decimals"
   },
   {
    "type": "address",
    "name": "delegate"
   },
   {
    "type": "address",
    "name": "assetAddress"
   }
  ]
 },
 {
  "name": "rwaPriceAdapters",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   }
  ],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "rwaWhitelistAdapters",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   }
  ],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "spreadProtocolTakeRate",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "stablecoinAcceptanceFees",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinOutID"
   },
   {
    "type": "address",
    "name": "stablecoin"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "stablecoinGuardrailBands",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "stablecoinGuardrailEnabled",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "stablecoinInfo",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "bool",
    "name": "accepted"
   },
   {
    "type": "bool",
    "name": "yieldBearing"
   },
   {
    "type": "uint8",
    "name": "decimals"
   },
   {
    "type": "address",
    "name": "delegate"
   },
   {
    "type": "address",
    "name": "assetAddress"
   }
  ]
 },
 {
  "name": "stablecoinPriceAdapters",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "stablecoinRedemptionFees",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinOutID"
   },
   {
    "type": "address",
    "name": "stablecoin"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "stablecoinUSDValue",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "configureStablecoinGuardrail",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "address",
    "name": "priceAdapter"
   },
   {
    "type": "uint256",
    "name": "band"
   },
   {
    "type": "bool",
    "name": "enabled"
   }
  ],
  "outputs": []
 },
 {
  "name": "setAutoLiquidityStablecoinID",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "bytes32",
    "name": "autoLiquidityStablecoinID"
   }
  ],
  "outputs": []
 },
 {
  "name": "setBlacklisted",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "bool",
    "name": "_blacklisted"
   }
  ],
  "outputs": []
 },
 {
  "name": "setIssuerPaidProtocolFeeRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setMaxSwapLegs",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "newMaxSwapLegs"
   }
  ],
  "outputs": []
 },
 {
  "name": "setCoreVault",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "vault"
   }
  ],
  "outputs": []
 },
 {
  "name": "setProtocolFeeExempt",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "bool",
    "name": "exempt"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRWAAcceptance",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "address",
    "name": "_delegate"
   },
   {
    "type": "address",
    "name": "_assetAddress"
   },
   {
    "type": "bool",
    "name": "_accepted"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRWADiscountRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRWARedemptionFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRwaPriceAdapter",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "address",
    "name": "priceAdapter"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRwaWhitelistAdapter",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "address",
    "name": "adapter"
   }
  ],
  "outputs": []
 },
 {
  "name": "setSpreadProtocolTakeRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinAcceptance",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "address",
    "name": "_delegate"
   },
   {
    "type": "address",
    "name": "_assetAddress"
   },
   {
    "type": "bool",
    "name": "_accepted"
   },
   {
    "type": "bool",
    "name": "_yieldBearing"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinAcceptanceFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinOutID"
   },
   {
    "type": "address",
    "name": "stablecoin"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinRedemptionFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinOutID"
   },
   {
    "type": "address",
    "name": "stablecoin"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinUSDValue",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ],
  "outputs": []
 },
 {
  "name": "OPERATOR_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "BLACKLISTER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "EXTERNAL_PAUSER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "Swap",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "assetInID",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "assetOutID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "operator"
   },
   {
    "type": "address",
    "name": "receiver"
   },
   {
    "type": "uint256",
    "name": "routeId"
   },
   {
    "type": "bytes32",
    "name": "stablecoinDelegateID"
   },
   {
    "type": "uint256",
    "name": "amountIn"
   },
   {
    "type": "uint256",
    "name": "amountOut"
   },
   {
    "type": "uint256",
    "name": "issuerFeeAmt"
   },
   {
    "type": "uint256",
    "name": "spreadFeeAmt"
   },
   {
    "type": "uint256",
    "name": "lpFeeAmt"
   }
  ]
 },
 {
  "name": "SwapInputAllowanceSet",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "address",
    "name": "operator",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "assetInID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ]
 },
 {
  "name": "SwapInputAllowanceSpent",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "address",
    "name": "operator",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "assetInID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amountSpent"
   },
   {
    "type": "uint256",
    "name": "remainingAmount"
   }
  ]
 },
 {
  "name": "AutoLiquidityStablecoinIDSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "autoLiquidityStablecoinID",
    "indexed": true
   }
  ]
 },
 {
  "name": "DiscountRateSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ]
 },
 {
  "name": "RedemptionFeeSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ]
 },
 {
  "name": "IssuerPaidProtocolFeeRateSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "oldRate"
   },
   {
    "type": "uint256",
    "name": "newRate"
   }
  ]
 },
 {
  "name": "CoreVaultSet",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "oldVault",
    "indexed": true
   },
   {
    "type": "address",
    "name": "newVault",
    "indexed": true
   }
  ]
 },
 {
  "name": "ProtocolFeeExemptSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "bool",
    "name": "exempt"
   }
  ]
 },
 {
  "name": "RWAAcceptanceSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "delegate",
    "indexed": true
   },
   {
    "type": "address",
    "name": "assetAddress",
    "indexed": true
   },
   {
    "type": "uint8",
    "name": "decimals"
   },
   {
    "type": "bool",
    "name": "accepted"
   }
  ]
 },
 {
  "name": "RwaPriceAdapterSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "priceAdapter"
   }
  ]
 },
 {
  "name": "RwaWhitelistAdapterSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "adapter",
    "indexed": true
   }
  ]
 },
 {
  "name": "SpreadProtocolTakeRateSet",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "oldRate"
   },
   {
    "type": "uint256",
    "name": "newRate"
   }
  ]
 },
 {
  "name": "StablecoinAcceptanceFeeSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinOutID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "stablecoinIn",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ]
 },
 {
  "name": "StablecoinRedemptionFeeSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinOutID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "stablecoinIn",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ]
 },
 {
  "name": "StablecoinAcceptanceSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "delegate",
    "indexed": true
   },
   {
    "type": "address",
    "name": "assetAddress",
    "indexed": true
   },
   {
    "type": "uint8",
    "name": "decimals"
   },
   {
    "type": "bool",
    "name": "accepted"
   },
   {
    "type": "bool",
    "name": "yieldBearing"
   }
  ]
 },
 {
  "name": "StablecoinPriceGuardrailSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "address",
    "name": "priceAdapter",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "band"
   }
  ]
 },
 {
  "name": "StablecoinUSDValueSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ]
 },
 {
  "name": "UserBlacklistUpdated",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "bool",
    "name": "blacklisted"
   }
  ]
 },
 {
  "name": "AssetIDAlreadyRegistered",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "assetID"
   }
  ]
 },
 {
  "name": "FailedToDeployRWA",
  "type": "error",
  "inputs": []
 },
 {
  "name": "FailedToDeployStablecoin",
  "type": "error",
  "inputs": []
 },
 {
  "name": "IdenticalAssets",
  "type": "error",
  "inputs": []
 },
 {
  "name": "IdenticalStablecoins",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InsufficientRWAInput",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InsufficientRWAOutput",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InsufficientStablecoinInput",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InsufficientStablecoinOutput",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InsufficientSwapAllowance",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidAdmin",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidAssetAddress",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidDelegate",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidLegCount",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidPrice",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidRate",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidSignature",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidStablecoinDelegateID",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "actual"
   },
   {
    "type": "bytes32",
    "name": "expected"
   }
  ]
 },
 {
  "name": "InvalidSwapAddress",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ]
 },
 {
  "name": "InvalidVault",
  "type": "error",
  "inputs": []
 },
 {
  "name": "NotStablecoinDelegate",
  "type": "error",
  "inputs": []
 },
 {
  "name": "PermitExpired",
  "type": "error",
  "inputs": []
 },
 {
  "name": "PriceAdapterNotSet",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "tokenID"
   }
  ]
 },
 {
  "name": "RWANotAccepted",
  "type": "error",
  "inputs": []
 },
 {
  "name": "RWAValidityCheckFailed",
  "type": "error",
  "inputs": []
 },
 {
  "name": "StablecoinGuardrailBandNotSet",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ]
 },
 {
  "name": "StablecoinNotAccepted",
  "type": "error",
  "inputs": []
 },
 {
  "name": "StablecoinPriceAdapterNotSet",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   }
  ]
 },
 {
  "name": "StablecoinPriceOutsideBand",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "stablecoinID"
   },
   {
    "type": "uint256",
    "name": "adminValue"
   },
   {
    "type": "uint256",
    "name": "oraclePrice"
   },
   {
    "type": "uint256",
    "name": "band"
   }
  ]
 },
 {
  "name": "USDValueNotSet",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "tokenID"
   }
  ]
 },
 {
  "name": "UnsupportedDecimals",
  "type": "error",
  "inputs": [
   {
    "type": "uint8",
    "name": "decimals"
   }
  ]
 },
 {
  "name": "UnsupportedRouteId",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "routeId"
   }
  ]
 },
 {
  "name": "UserBlacklisted",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ]
 },
 {
  "name": "UserNotWhitelisted",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "address",
    "name": "user"
   }
  ]
 }
] as const;
export const treasuryAbi = [
 {
  "name": "hasRole",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "grantRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "revokeRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "renounceRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "callerConfirmation"
   }
  ],
  "outputs": []
 },
 {
  "name": "getRoleAdmin",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "getRoleMember",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "uint256",
    "name": "index"
   }
  ],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "getRoleMemberCount",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "getRoleMembers",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "address[]"
   }
  ]
 },
 {
  "name": "supportsInterface",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes4",
    "name": "interfaceId"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "upgradeToAndCall",
  "type": "function",
  "stateMutability": "payable",
  "inputs": [
   {
    "type": "address",
    "name": "newImplementation"
   },
   {
    "type": "bytes",
    "name": "data"
   }
  ],
  "outputs": []
 },
 {
  "name": "proxiableUUID",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "UPGRADE_INTERFACE_VERSION",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "string"
   }
  ]
 },
 {
  "name": "paused",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "pause",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "unpause",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "DEFAULT_ADMIN_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "Initialized",
  "type": "event",
  "inputs": [
   {
    "type": "uint64",
    "name": "version"
   }
  ]
 },
 {
  "name": "Paused",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "Unpaused",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "Upgraded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "implementation",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleAdminChanged",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "previousAdminRole",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "newAdminRole",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleGranted",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "address",
    "name": "sender",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleRevoked",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "address",
    "name": "sender",
    "indexed": true
   }
  ]
 },
 {
  "name": "AccessControlBadConfirmation",
  "type": "error",
  "inputs": []
 },
 {
  "name": "AccessControlUnauthorizedAccount",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   },
   {
    "type": "bytes32",
    "name": "neededRole"
   }
  ]
 },
 {
  "name": "AddressEmptyCode",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "target"
   }
  ]
 },
 {
  "name": "ERC1967InvalidImplementation",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "implementation"
   }
  ]
 },
 {
  "name": "ERC1967NonPayable",
  "type": "error",
  "inputs": []
 },
 {
  "name": "EnforcedPause",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ExpectedPause",
  "type": "error",
  "inputs": []
 },
 {
  "name": "FailedCall",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidInitialization",
  "type": "error",
  "inputs": []
 },
 {
  "name": "NotInitializing",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ReentrancyGuardReentrantCall",
  "type": "error",
  "inputs": []
 },
 {
  "name": "UUPSUnauthorizedCallContext",
  "type": "error",
  "inputs": []
 },
 {
  "name": "UUPSUnsupportedProxiableUUID",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "slot"
   }
  ]
 },
 {
  "name": "name",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "string"
   }
  ]
 },
 {
  "name": "symbol",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "string"
   }
  ]
 },
 {
  "name": "decimals",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint8"
   }
  ]
 },
 {
  "name": "totalSupply",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "balanceOf",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "allowance",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "owner"
   },
   {
    "type": "address",
    "name": "spender"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "approve",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "spender"
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "transfer",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "to"
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "transferFrom",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "from"
   },
   {
    "type": "address",
    "name": "to"
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "permit",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "owner"
   },
   {
    "type": "address",
    "name": "spender"
   },
   {
    "type": "uint256",
    "name": "value"
   },
   {
    "type": "uint256",
    "name": "deadline"
   },
   {
    "type": "uint8",
    "name": "v"
   },
   {
    "type": "bytes32",
    "name": "r"
   },
   {
    "type": "bytes32",
    "name": "s"
   }
  ],
  "outputs": []
 },
 {
  "name": "nonces",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "owner"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "DOMAIN_SEPARATOR",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "eip712Domain",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes1",
    "name": "fields"
   },
   {
    "type": "string",
    "name": "name"
   },
   {
    "type": "string",
    "name": "version"
   },
   {
    "type": "uint256",
    "name": "chainId"
   },
   {
    "type": "address",
    "name": "verifyingContract"
   },
   {
    "type": "bytes32",
    "name": "salt"
   },
   {
    "type": "uint256[]",
    "name": "extensions"
   }
  ]
 },
 {
  "name": "mint",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "to"
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "bridgeMint",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "to"
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "burn",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "burnFrom",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "from"
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "forceBurn",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "from"
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "forceTransfer",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "from"
   },
   {
    "type": "address",
    "name": "to"
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "addToWhitelist",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeFromWhitelist",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "addToBlacklist",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeFromBlacklist",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "addToBlacklistBatch",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address[]",
    "name": "accounts"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeFromBlacklistBatch",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address[]",
    "name": "accounts"
   }
  ],
  "outputs": []
 },
 {
  "name": "addBridge",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "bridge"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeBridge",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "bridge"
   }
  ],
  "outputs": []
 },
 {
  "name": "whitelisted",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "blacklisted",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "initialize",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "string",
    "name": "name_"
   },
   {
    "type": "string",
    "name": "symbol_"
   },
   {
    "type": "address",
    "name": "admin_"
   }
  ],
  "outputs": []
 },
 {
  "name": "OPERATOR_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "MINTER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "BRIDGE_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "PAUSER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "WHITELISTER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "BLACKLISTER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "Transfer",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "from",
    "indexed": true
   },
   {
    "type": "address",
    "name": "to",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ]
 },
 {
  "name": "Approval",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "owner",
    "indexed": true
   },
   {
    "type": "address",
    "name": "spender",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "value"
   }
  ]
 },
 {
  "name": "AddedToWhitelist",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account",
    "indexed": true
   }
  ]
 },
 {
  "name": "RemovedFromWhitelist",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account",
    "indexed": true
   }
  ]
 },
 {
  "name": "AddedToBlacklist",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account",
    "indexed": true
   }
  ]
 },
 {
  "name": "RemovedFromBlacklist",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account",
    "indexed": true
   }
  ]
 },
 {
  "name": "BridgeMint",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "bridge",
    "indexed": true
   },
   {
    "type": "address",
    "name": "to",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ]
 },
 {
  "name": "BridgeBurn",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "bridge",
    "indexed": true
   },
   {
    "type": "address",
    "name": "from",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ]
 },
 {
  "name": "BridgeAdded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "bridge",
    "indexed": true
   }
  ]
 },
 {
  "name": "BridgeRemoved",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "bridge",
    "indexed": true
   }
  ]
 },
 {
  "name": "ForcedBurn",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "operator",
    "indexed": true
   },
   {
    "type": "address",
    "name": "from",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ]
 },
 {
  "name": "ForcedTransfer",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "operator",
    "indexed": true
   },
   {
    "type": "address",
    "name": "from",
    "indexed": true
   },
   {
    "type": "address",
    "name": "to",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ]
 },
 {
  "name": "EIP712DomainChanged",
  "type": "event",
  "inputs": []
 },
 {
  "name": "AccountBlacklisted",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "AccountNotBlacklisted",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "AccountNotWhitelisted",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "ECDSAInvalidSignature",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ECDSAInvalidSignatureLength",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "length"
   }
  ]
 },
 {
  "name": "ECDSAInvalidSignatureS",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "s"
   }
  ]
 },
 {
  "name": "ERC20InsufficientAllowance",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "spender"
   },
   {
    "type": "uint256",
    "name": "allowance"
   },
   {
    "type": "uint256",
    "name": "needed"
   }
  ]
 },
 {
  "name": "ERC20InsufficientBalance",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "sender"
   },
   {
    "type": "uint256",
    "name": "balance"
   },
   {
    "type": "uint256",
    "name": "needed"
   }
  ]
 },
 {
  "name": "ERC20InvalidApprover",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "approver"
   }
  ]
 },
 {
  "name": "ERC20InvalidReceiver",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "receiver"
   }
  ]
 },
 {
  "name": "ERC20InvalidSender",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "sender"
   }
  ]
 },
 {
  "name": "ERC20InvalidSpender",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "spender"
   }
  ]
 },
 {
  "name": "ERC2612ExpiredSignature",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "deadline"
   }
  ]
 },
 {
  "name": "ERC2612InvalidSigner",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "signer"
   },
   {
    "type": "address",
    "name": "owner"
   }
  ]
 },
 {
  "name": "InvalidAccountNonce",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   },
   {
    "type": "uint256",
    "name": "currentNonce"
   }
  ]
 },
 {
  "name": "InvalidAmount",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ZeroAddress",
  "type": "error",
  "inputs": []
 }
] as const;
export const stablecoinDelegateAbi = [
 {
  "name": "hasRole",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "grantRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "revokeRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": []
 },
 {
  "name": "renounceRole",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "address",
    "name": "callerConfirmation"
   }
  ],
  "outputs": []
 },
 {
  "name": "getRoleAdmin",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "getRoleMember",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   },
   {
    "type": "uint256",
    "name": "index"
   }
  ],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "getRoleMemberCount",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "getRoleMembers",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role"
   }
  ],
  "outputs": [
   {
    "type": "address[]"
   }
  ]
 },
 {
  "name": "supportsInterface",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "bytes4",
    "name": "interfaceId"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "upgradeToAndCall",
  "type": "function",
  "stateMutability": "payable",
  "inputs": [
   {
    "type": "address",
    "name": "newImplementation"
   },
   {
    "type": "bytes",
    "name": "data"
   }
  ],
  "outputs": []
 },
 {
  "name": "proxiableUUID",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "UPGRADE_INTERFACE_VERSION",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "string"
   }
  ]
 },
 {
  "name": "paused",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "pause",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "unpause",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "DEFAULT_ADMIN_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "Initialized",
  "type": "event",
  "inputs": [
   {
    "type": "uint64",
    "name": "version"
   }
  ]
 },
 {
  "name": "Paused",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "Unpaused",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "Upgraded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "implementation",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleAdminChanged",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "previousAdminRole",
    "indexed": true
   },
   {
    "type": "bytes32",
    "name": "newAdminRole",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleGranted",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "address",
    "name": "sender",
    "indexed": true
   }
  ]
 },
 {
  "name": "RoleRevoked",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "role",
    "indexed": true
   },
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "address",
    "name": "sender",
    "indexed": true
   }
  ]
 },
 {
  "name": "AccessControlBadConfirmation",
  "type": "error",
  "inputs": []
 },
 {
  "name": "AccessControlUnauthorizedAccount",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   },
   {
    "type": "bytes32",
    "name": "neededRole"
   }
  ]
 },
 {
  "name": "AddressEmptyCode",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "target"
   }
  ]
 },
 {
  "name": "ERC1967InvalidImplementation",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "implementation"
   }
  ]
 },
 {
  "name": "ERC1967NonPayable",
  "type": "error",
  "inputs": []
 },
 {
  "name": "EnforcedPause",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ExpectedPause",
  "type": "error",
  "inputs": []
 },
 {
  "name": "FailedCall",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidInitialization",
  "type": "error",
  "inputs": []
 },
 {
  "name": "NotInitializing",
  "type": "error",
  "inputs": []
 },
 {
  "name": "ReentrancyGuardReentrantCall",
  "type": "error",
  "inputs": []
 },
 {
  "name": "UUPSUnauthorizedCallContext",
  "type": "error",
  "inputs": []
 },
 {
  "name": "UUPSUnsupportedProxiableUUID",
  "type": "error",
  "inputs": [
   {
    "type": "bytes32",
    "name": "slot"
   }
  ]
 },
 {
  "name": "initialize",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "coreAdmin"
   },
   {
    "type": "address",
    "name": "initialIssuerAdmin"
   },
   {
    "type": "address",
    "name": "_coreSwap"
   },
   {
    "type": "bytes32",
    "name": "_stablecoinID"
   },
   {
    "type": "address",
    "name": "_stablecoinAddress"
   },
   {
    "type": "uint256",
    "name": "initialRate"
   },
   {
    "type": "uint256",
    "name": "initialManagementFee"
   },
   {
    "type": "address",
    "name": "ratePoster"
   }
  ],
  "outputs": []
 },
 {
  "name": "postDailyRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   },
   {
    "type": "uint256",
    "name": "grossRate"
   }
  ],
  "outputs": []
 },
 {
  "name": "correctDailyRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   },
   {
    "type": "uint256",
    "name": "grossRate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setManagementFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "fee"
   }
  ],
  "outputs": []
 },
 {
  "name": "setMaxDailyRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "maxRate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setMaxFallbackRateSeconds",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "uint256",
    "name": "maxSeconds"
   }
  ],
  "outputs": []
 },
 {
  "name": "getDailyRate",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   }
  ],
  "outputs": [
   {
    "type": "uint256",
    "name": "rate"
   },
   {
    "type": "bool",
    "name": "posted"
   }
  ]
 },
 {
  "name": "getCurrentDay",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "accrueInterest",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "uint256",
    "name": "maxDays"
   },
   {
    "type": "uint256",
    "name": "maxRecords"
   }
  ],
  "outputs": [
   {
    "type": "uint256",
    "name": "daysAccrued"
   },
   {
    "type": "uint256",
    "name": "recordsMerged"
   },
   {
    "type": "bool",
    "name": "dailyAccrualComplete"
   },
   {
    "type": "bool",
    "name": "creditsFullyMerged"
   }
  ]
 },
 {
  "name": "batchAccrueInterest",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address[]",
    "name": "users"
   }
  ],
  "outputs": []
 },
 {
  "name": "getYieldAmount",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "uint256",
    "name": "redeemValue"
   },
   {
    "type": "bool",
    "name": "stablecoinWithdrawal"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "getAmountForTargetValue",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "uint256",
    "name": "targetValue"
   },
   {
    "type": "bool",
    "name": "stablecoinWithdrawal"
   }
  ],
  "outputs": [
   {
    "type": "uint256",
    "name": "treasuryNeeded"
   }
  ]
 },
 {
  "name": "getWithheldCredits",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ],
  "outputs": [
   {
    "type": "tuple[]",
    "components": [
     {
      "type": "address",
      "name": "tokenAddress"
     },
     {
      "type": "uint256",
      "name": "credits"
     },
     {
      "type": "uint256",
      "name": "releaseTimestamp"
     },
     {
      "type": "uint256",
      "name": "earningStartTimestamp"
     },
     {
      "type": "bool",
      "name": "isRWA"
     }
    ]
   }
  ]
 },
 {
  "name": "balanceSheetCustodyAddress",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "blacklist",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "credits",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "dailyRates",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "uint256",
    "name": "day"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "firstRateDay",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "getRWAColdStorageAddresses",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address[]"
   }
  ]
 },
 {
  "name": "getStablecoinColdStorageAddresses",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address[]"
   }
  ]
 },
 {
  "name": "issuerAdmins",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "lastAccrualDay",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "lastRatePostingDay",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "managementFee",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "maxDailyRate",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "maxFallbackRateSeconds",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "coreSwap",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "ratePosted",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "uint256",
    "name": "day"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "rwaWhitelist",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "rwa"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "stablecoinAddress",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "stablecoinCustodyAddress",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "stablecoinID",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "stablecoinWhitelist",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin"
   }
  ],
  "outputs": [
   {
    "type": "bool"
   }
  ]
 },
 {
  "name": "totalWithheldCredits",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "treasury",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "address"
   }
  ]
 },
 {
  "name": "yieldMultiplier",
  "type": "function",
  "stateMutability": "view",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   }
  ],
  "outputs": [
   {
    "type": "uint256"
   }
  ]
 },
 {
  "name": "deployStablecoin",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "tuple",
    "name": "params",
    "components": [
     {
      "type": "address",
      "name": "user"
     },
     {
      "type": "address",
      "name": "receiver"
     },
     {
      "type": "address",
      "name": "vault"
     },
     {
      "type": "uint256",
      "name": "protocolFeeAmt"
     },
     {
      "type": "uint256",
      "name": "lpFeeAmt"
     },
     {
      "type": "address",
      "name": "assetInAddress"
     },
     {
      "type": "uint256",
      "name": "assetInAmount"
     },
     {
      "type": "address",
      "name": "assetOutAddress"
     },
     {
      "type": "uint256",
      "name": "assetOutAmount"
     }
    ]
   }
  ],
  "outputs": [
   {
    "type": "bool",
    "name": "success"
   }
  ]
 },
 {
  "name": "receiveStablecoin",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "tuple",
    "name": "params",
    "components": [
     {
      "type": "address",
      "name": "user"
     },
     {
      "type": "address",
      "name": "receiver"
     },
     {
      "type": "address",
      "name": "vault"
     },
     {
      "type": "uint256",
      "name": "protocolFeeAmt"
     },
     {
      "type": "uint256",
      "name": "lpFeeAmt"
     },
     {
      "type": "address",
      "name": "assetInAddress"
     },
     {
      "type": "uint256",
      "name": "assetInAmount"
     },
     {
      "type": "address",
      "name": "assetOutAddress"
     },
     {
      "type": "uint256",
      "name": "assetOutAmount"
     }
    ]
   }
  ],
  "outputs": [
   {
    "type": "bool",
    "name": "success"
   }
  ]
 },
 {
  "name": "exchangeRWAs",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "tuple",
    "name": "params",
    "components": [
     {
      "type": "address",
      "name": "user"
     },
     {
      "type": "address",
      "name": "receiver"
     },
     {
      "type": "address",
      "name": "vault"
     },
     {
      "type": "uint256",
      "name": "protocolFeeAmt"
     },
     {
      "type": "uint256",
      "name": "lpFeeAmt"
     },
     {
      "type": "address",
      "name": "assetInAddress"
     },
     {
      "type": "uint256",
      "name": "assetInAmount"
     },
     {
      "type": "address",
      "name": "assetOutAddress"
     },
     {
      "type": "uint256",
      "name": "assetOutAmount"
     }
    ]
   }
  ],
  "outputs": [
   {
    "type": "bool",
    "name": "success"
   }
  ]
 },
 {
  "name": "exchangeStablecoins",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "tuple",
    "name": "params",
    "components": [
     {
      "type": "address",
      "name": "user"
     },
     {
      "type": "address",
      "name": "receiver"
     },
     {
      "type": "address",
      "name": "vault"
     },
     {
      "type": "uint256",
      "name": "protocolFeeAmt"
     },
     {
      "type": "uint256",
      "name": "lpFeeAmt"
     },
     {
      "type": "address",
      "name": "assetInAddress"
     },
     {
      "type": "uint256",
      "name": "assetInAmount"
     },
     {
      "type": "address",
      "name": "assetOutAddress"
     },
     {
      "type": "uint256",
      "name": "assetOutAmount"
     }
    ]
   }
  ],
  "outputs": [
   {
    "type": "bool",
    "name": "success"
   }
  ]
 },
 {
  "name": "addIssuerAdmin",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "issuerAdmin"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeIssuerAdmin",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "issuerAdmin"
   }
  ],
  "outputs": []
 },
 {
  "name": "addRWAColdStorageAddress",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeRWAColdStorageAddress",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress"
   }
  ],
  "outputs": []
 },
 {
  "name": "addStablecoinColdStorageAddress",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress"
   }
  ],
  "outputs": []
 },
 {
  "name": "removeStablecoinColdStorageAddress",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRWACustodyAddress",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "_balanceSheetCustodyAddress"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinCustodyAddress",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "_stablecoinCustodyAddress"
   }
  ],
  "outputs": []
 },
 {
  "name": "setBlacklist",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   },
   {
    "type": "bool",
    "name": "isBlacklisted"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRWADiscountRate",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setRWARedemptionFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinAcceptanceFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setStablecoinRedemptionFee",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin"
   },
   {
    "type": "uint256",
    "name": "rate"
   }
  ],
  "outputs": []
 },
 {
  "name": "setUserYieldMultiplier",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "user"
   },
   {
    "type": "uint256",
    "name": "newMultiplier"
   }
  ],
  "outputs": []
 },
 {
  "name": "setAutoLiquidityStablecoinID",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "bytes32",
    "name": "autoLiquidityStablecoinID"
   }
  ],
  "outputs": []
 },
 {
  "name": "whitelistRWA",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "rwa"
   },
   {
    "type": "bool",
    "name": "accepted"
   }
  ],
  "outputs": []
 },
 {
  "name": "whitelistStablecoin",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin"
   },
   {
    "type": "bool",
    "name": "accepted"
   }
  ],
  "outputs": []
 },
 {
  "name": "withdrawStablecoin",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [
   {
    "type": "address",
    "name": "to"
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ],
  "outputs": []
 },
 {
  "name": "pauseCore",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "unpauseCore",
  "type": "function",
  "stateMutability": "nonpayable",
  "inputs": [],
  "outputs": []
 },
 {
  "name": "CORE_SWAP_CONTRACT",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "RATE_POSTER_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "OPERATOR_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "PAUSE_ROLE",
  "type": "function",
  "stateMutability": "view",
  "inputs": [],
  "outputs": [
   {
    "type": "bytes32"
   }
  ]
 },
 {
  "name": "DailyRatePosted",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate"
   },
   {
    "type": "address",
    "name": "poster",
    "indexed": true
   }
  ]
 },
 {
  "name": "DailyRateCorrected",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "oldRate"
   },
   {
    "type": "uint256",
    "name": "newRate"
   },
   {
    "type": "address",
    "name": "corrector",
    "indexed": true
   }
  ]
 },
 {
  "name": "FirstRatePosted",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   }
  ]
 },
 {
  "name": "InterestAccrued",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "fromDay"
   },
   {
    "type": "uint256",
    "name": "toDay"
   },
   {
    "type": "uint256",
    "name": "daysAccrued"
   },
   {
    "type": "uint256",
    "name": "multiplierAfter"
   }
  ]
 },
 {
  "name": "YieldClaimed",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "creditsRedeemed"
   },
   {
    "type": "uint256",
    "name": "yieldAmount"
   },
   {
    "type": "uint256",
    "name": "effectiveValue"
   }
  ]
 },
 {
  "name": "PendingCreditsAdded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   },
   {
    "type": "uint256",
    "name": "depositDay"
   }
  ]
 },
 {
  "name": "PendingCreditsMerged",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "pendingAmount"
   },
   {
    "type": "uint256",
    "name": "newCredits"
   }
  ]
 },
 {
  "name": "WithheldCreditsReduced",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   },
   {
    "type": "uint256",
    "name": "remainingWithheld"
   }
  ]
 },
 {
  "name": "MainCreditsReduced",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   },
   {
    "type": "uint256",
    "name": "remainingCredits"
   }
  ]
 },
 {
  "name": "ManagementFeeUpdated",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "oldFee"
   },
   {
    "type": "uint256",
    "name": "newFee"
   }
  ]
 },
 {
  "name": "MaxDailyRateUpdated",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "oldRate"
   },
   {
    "type": "uint256",
    "name": "newRate"
   }
  ]
 },
 {
  "name": "MaxFallbackRateSecondsUpdated",
  "type": "event",
  "inputs": [
   {
    "type": "uint256",
    "name": "oldWindow"
   },
   {
    "type": "uint256",
    "name": "newWindow"
   }
  ]
 },
 {
  "name": "YieldMultiplierUpdated",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "user",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "oldMultiplier"
   },
   {
    "type": "uint256",
    "name": "newMultiplier"
   },
   {
    "type": "address",
    "name": "admin",
    "indexed": true
   }
  ]
 },
 {
  "name": "IssuerAdminAdded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "issuerAdmin",
    "indexed": true
   }
  ]
 },
 {
  "name": "IssuerAdminRemoved",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "issuerAdmin",
    "indexed": true
   }
  ]
 },
 {
  "name": "BlacklistUpdated",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "account",
    "indexed": true
   },
   {
    "type": "bool",
    "name": "blacklisted"
   }
  ]
 },
 {
  "name": "AutoLiquidityStablecoinIDSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "autoLiquidityStablecoinID",
    "indexed": true
   }
  ]
 },
 {
  "name": "RWAColdStorageAddressAdded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress",
    "indexed": true
   }
  ]
 },
 {
  "name": "RWAColdStorageAddressRemoved",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress",
    "indexed": true
   }
  ]
 },
 {
  "name": "StablecoinColdStorageAddressAdded",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress",
    "indexed": true
   }
  ]
 },
 {
  "name": "StablecoinColdStorageAddressRemoved",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "coldStorageAddress",
    "indexed": true
   }
  ]
 },
 {
  "name": "RWACustodyAddressSet",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "balanceSheetCustodyAddress",
    "indexed": true
   }
  ]
 },
 {
  "name": "StablecoinCustodyAddressSet",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoinCustodyAddress",
    "indexed": true
   }
  ]
 },
 {
  "name": "RWADiscountRateSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate",
    "indexed": true
   }
  ]
 },
 {
  "name": "RedemptionFeeSet",
  "type": "event",
  "inputs": [
   {
    "type": "bytes32",
    "name": "rwaID",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate",
    "indexed": true
   }
  ]
 },
 {
  "name": "StablecoinAcceptanceFeeSet",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate",
    "indexed": true
   }
  ]
 },
 {
  "name": "StablecoinRedemptionFeeSet",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "rate",
    "indexed": true
   }
  ]
 },
 {
  "name": "RWAWhitelist",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "rwa",
    "indexed": true
   },
   {
    "type": "bool",
    "name": "accepted"
   }
  ]
 },
 {
  "name": "StablecoinWhitelist",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin",
    "indexed": true
   },
   {
    "type": "bool",
    "name": "accepted"
   }
  ]
 },
 {
  "name": "StablecoinWithdrawn",
  "type": "event",
  "inputs": [
   {
    "type": "address",
    "name": "to",
    "indexed": true
   },
   {
    "type": "uint256",
    "name": "amount"
   }
  ]
 },
 {
  "name": "AddressBlacklisted",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "account"
   }
  ]
 },
 {
  "name": "AddressNotAllowed",
  "type": "error",
  "inputs": []
 },
 {
  "name": "CannotCorrectBeforeFirstRate",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   },
   {
    "type": "uint256",
    "name": "firstRateDay"
   }
  ]
 },
 {
  "name": "CannotPostFutureRate",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   },
   {
    "type": "uint256",
    "name": "currentDay"
   }
  ]
 },
 {
  "name": "CannotPostRateForUnfinishedDay",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   },
   {
    "type": "uint256",
    "name": "currentDay"
   }
  ]
 },
 {
  "name": "CannotRemoveSelf",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InsufficientCredits",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "requested"
   },
   {
    "type": "uint256",
    "name": "available"
   }
  ]
 },
 {
  "name": "InvalidFallbackRateWindow",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidInitializationParams",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidIssuerAdmin",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidMaxDays",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidMaxRecords",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidCoreSwap",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidRate",
  "type": "error",
  "inputs": []
 },
 {
  "name": "InvalidStablecoinAsset",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "asset"
   }
  ]
 },
 {
  "name": "InvalidStablecoinExchange",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "assetIn"
   },
   {
    "type": "address",
    "name": "assetOut"
   },
   {
    "type": "address",
    "name": "issuerStablecoin"
   }
  ]
 },
 {
  "name": "InvalidTargetValues",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "feeTarget"
   },
   {
    "type": "uint256",
    "name": "feePlusRedemptionTarget"
   },
   {
    "type": "uint256",
    "name": "totalTarget"
   }
  ]
 },
 {
  "name": "InvalidYieldMultiplier",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "multiplier"
   }
  ]
 },
 {
  "name": "ManagementFeeTooHigh",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "fee"
   }
  ]
 },
 {
  "name": "MustPostSequentially",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   },
   {
    "type": "uint256",
    "name": "expectedDay"
   }
  ]
 },
 {
  "name": "NotIssuerAdmin",
  "type": "error",
  "inputs": []
 },
 {
  "name": "OutOfBounds",
  "type": "error",
  "inputs": []
 },
 {
  "name": "QueueEmpty",
  "type": "error",
  "inputs": []
 },
 {
  "name": "QueueFull",
  "type": "error",
  "inputs": []
 },
 {
  "name": "RWANotWhitelisted",
  "type": "error",
  "inputs": []
 },
 {
  "name": "RateAlreadyPosted",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "dayNumber"
   }
  ]
 },
 {
  "name": "RateTooHigh",
  "type": "error",
  "inputs": [
   {
    "type": "uint256",
    "name": "rate"
   },
   {
    "type": "uint256",
    "name": "maxRate"
   }
  ]
 },
 {
  "name": "SafeERC20FailedOperation",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "token"
   }
  ]
 },
 {
  "name": "SetRWACustodyAddress",
  "type": "error",
  "inputs": []
 },
 {
  "name": "SetStablecoinCustodyAddress",
  "type": "error",
  "inputs": []
 },
 {
  "name": "StablecoinNotWhitelisted",
  "type": "error",
  "inputs": [
   {
    "type": "address",
    "name": "stablecoin"
   }
  ]
 },
 {
  "name": "ZeroAddressNotAllowed",
  "type": "error",
  "inputs": []
 }
] as const;
