// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title ReferenceQuote
/// @notice The published formulas of a leg, implemented again without code of the contracts. Products have 512 bits; a
/// result of more than 256 bits reverts.
library ReferenceQuote {
    uint256 private constant W = 1e18;

    /// A leg between assets with the given decimals and USD prices. `inSettles` and `outSettles` say whether the
    /// settling stablecoin is on that side; between RWAs it is on neither side.
    struct Terms {
        bool exactIn;
        uint256 amount;
        bool inSettles;
        bool outSettles;
        uint256 decimalsIn;
        uint256 decimalsOut;
        uint256 decimalsC;
        uint256 priceIn;
        uint256 priceOut;
        uint256 priceC;
        uint256 i;
        uint256 t;
        uint256 d1;
        uint256 d2;
    }

    struct Result {
        uint256 amountIn;
        uint256 amountOut;
        uint256 gross;
        uint256 net;
        uint256 issuerFee;
        uint256 spreadFee;
        uint256 lpFee;
    }

    function resolve(Terms memory x) internal pure returns (Result memory r) {
        uint256 base;
        if (x.exactIn) {
            r.amountIn = x.amount;
            r.gross = x.inSettles ? x.amount : worthDown(x.amount, x.decimalsIn, x.priceIn, x.decimalsC, x.priceC);
            base = r.gross - ceil(r.gross, x.i, W);
            uint256 a = base - ceil(base, x.d1, W);
            r.net = a - ceil(a, x.d2, W);
            r.amountOut = x.outSettles ? r.net : worthDown(r.net, x.decimalsC, x.priceC, x.decimalsOut, x.priceOut);
        } else {
            r.amountOut = x.amount;
            r.net = x.outSettles ? x.amount : worthUp(x.amount, x.decimalsOut, x.priceOut, x.decimalsC, x.priceC);
            base = ceil(ceil(r.net, W, W - x.d2), W, W - x.d1);
            r.gross = ceil(base, W, W - x.i);
            r.amountIn = x.inSettles ? r.gross : worthUp(r.gross, x.decimalsC, x.priceC, x.decimalsIn, x.priceIn);
        }
        r.issuerFee = r.gross - base;
        r.spreadFee = Math.mulDiv(base - r.net, x.t, W);
        r.lpFee = base - r.net - r.spreadFee;
    }

    function worthDown(uint256 amount, uint256 fromDecimals, uint256 fromPrice, uint256 toDecimals, uint256 toPrice)
        private
        pure
        returns (uint256)
    {
        return Math.mulDiv(amount * 10 ** (18 - fromDecimals), fromPrice, toPrice) / 10 ** (18 - toDecimals);
    }

    function worthUp(uint256 amount, uint256 fromDecimals, uint256 fromPrice, uint256 toDecimals, uint256 toPrice)
        private
        pure
        returns (uint256)
    {
        return ceil(ceil(amount * 10 ** (18 - fromDecimals), fromPrice, toPrice), 1, 10 ** (18 - toDecimals));
    }

    function ceil(uint256 x, uint256 y, uint256 denominator) private pure returns (uint256) {
        return Math.mulDiv(x, y, denominator, Math.Rounding.Ceil);
    }
}
