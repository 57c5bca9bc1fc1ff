// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title ReferenceQuote
/// @notice The published formulas of a leg, written down once more in plain checked arithmetic and without any code of
/// the contracts. Its callers keep the numbers small enough for 256 bits.
library ReferenceQuote {
    uint256 private constant W = 1e18;

    /// A leg between assets with the given decimals and USD prices. `inSettles` and `outSettles` tell whether the
    /// settling stablecoin is on that side; between RWAs it is on neither.
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
            r.gross = x.inSettles
                ? x.amount
                : (x.amount * 10 ** (18 - x.decimalsIn) * x.priceIn / x.priceC) / 10 ** (18 - x.decimalsC);
            base = r.gross - ceil(r.gross * x.i, W);
            uint256 a = base - ceil(base * x.d1, W);
            r.net = a - ceil(a * x.d2, W);
            r.amountOut = x.outSettles
                ? r.net
                : (r.net * 10 ** (18 - x.decimalsC) * x.priceC / x.priceOut) / 10 ** (18 - x.decimalsOut);
        } else {
            r.amountOut = x.amount;
            r.net = x.outSettles
                ? x.amount
                : ceil(ceil(x.amount * 10 ** (18 - x.decimalsOut) * x.priceOut, x.priceC), 10 ** (18 - x.decimalsC));
            base = ceil(ceil(r.net * W, W - x.d2) * W, W - x.d1);
            r.gross = ceil(base * W, W - x.i);
            r.amountIn = x.inSettles
                ? r.gross
                : ceil(ceil(r.gross * 10 ** (18 - x.decimalsC) * x.priceC, x.priceIn), 10 ** (18 - x.decimalsIn));
        }
        r.issuerFee = r.gross - base;
        r.spreadFee = (base - r.net) * x.t / W;
        r.lpFee = base - r.net - r.spreadFee;
    }

    function ceil(uint256 numerator, uint256 denominator) internal pure returns (uint256) {
        return (numerator + denominator - 1) / denominator;
    }
}
