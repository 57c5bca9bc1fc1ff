// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";

/// A balance-sheet delegate settles every route once. All balances and the event are compared with the quote.
contract CoreSwapSettlementTest is CoreSwapTest {
    struct Balances {
        uint256 userIn;
        uint256 receiverOut;
        uint256 custodyIn;
        uint256 custodyOut;
        uint256 custodySettlement;
        uint256 vault;
    }

    function test_WhenRoute1TakesAnRWAForAnExactInputOfStablecoins_S4() public {
        _checkSettlement(_leg(1, 1_234.567890123456789012e18, false));
    }

    function test_WhenRoute2TakesAnRWAForAnExactOutputOfStablecoins_S4() public {
        _checkSettlement(_leg(2, 1_234.567891e6, false));
    }

    function test_WhenRoute3TakesStablecoinsForAnRWAWithAnExactInput_S4() public {
        _checkSettlement(_leg(3, 50_000.000001e6, false));
    }

    function test_WhenRoute4TakesStablecoinsForAnRWAWithAnExactOutput_S4() public {
        _checkSettlement(_leg(4, 77.000003e6, false));
    }

    function test_WhenRoute5TakesAnRWAForAnotherWithAnExactInput_S4() public {
        _checkSettlement(_leg(5, 9_999.999999999999999999e18, false));
    }

    function test_WhenRoute6TakesAnRWAForAnotherWithAnExactOutput_S4() public {
        _checkSettlement(_leg(6, 12.345678e6, false));
    }

    function test_WhenRoute7IsSettledByTheAssetOut_S4() public {
        _checkSettlement(_leg(7, 1_000.000000000000000001e18, false));
    }

    function test_WhenRoute7IsSettledByTheAssetIn_S4() public {
        _checkSettlement(_leg(7, 1_000.000000000000000001e18, true));
    }

    function test_WhenRoute8IsSettledByTheAssetOut_S4() public {
        _checkSettlement(_leg(8, 1_000.000001e6, false));
    }

    function test_WhenRoute8IsSettledByTheAssetIn_S4() public {
        _checkSettlement(_leg(8, 1_000.000001e6, true));
    }

    function _checkSettlement(ICoreSwap.SwapInputs memory leg) private {
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, leg);
        uint256 protocolFee = quote.issuerFeeAmt + quote.spreadFeeAmt;
        assertGt(quote.issuerFeeAmt, 0, "issuer fee");
        assertGt(quote.spreadFeeAmt, 0, "spread fee");
        assertGt(quote.lpFeeAmt, 0, "LP fee");

        Balances memory before = _balances(leg);
        vm.expectEmit(address(core));
        emit ICoreSwap.Swap(
            user,
            leg.assetInID,
            leg.assetOutID,
            user,
            receiver,
            leg.routeId,
            leg.stablecoinDelegateID,
            quote.tokenInAmt,
            quote.tokenOutAmt,
            quote.issuerFeeAmt,
            quote.spreadFeeAmt,
            quote.lpFeeAmt
        );
        _swap(leg);
        Balances memory afterwards = _balances(leg);

        bool settledByIn = leg.stablecoinDelegateID == leg.assetInID;
        bool settledByOut = leg.stablecoinDelegateID == leg.assetOutID;
        assertEq(before.userIn - afterwards.userIn, quote.tokenInAmt, "user pays the amount in");
        assertEq(afterwards.receiverOut - before.receiverOut, quote.tokenOutAmt, "receiver gets the amount out");
        assertEq(afterwards.vault - before.vault, protocolFee, "vault gets the protocol's part");
        assertEq(
            afterwards.custodyIn - before.custodyIn,
            quote.tokenInAmt - (settledByIn ? protocolFee : 0),
            "custody keeps the rest of what comes in"
        );
        assertEq(
            before.custodyOut - afterwards.custodyOut,
            quote.tokenOutAmt + (settledByOut ? protocolFee : 0),
            "custody pays what goes out"
        );
        if (!settledByIn && !settledByOut) {
            assertEq(before.custodySettlement - afterwards.custodySettlement, protocolFee, "custody pays the fee");
        }
        assertEq(_tokenOf(leg.assetInID).balanceOf(address(core)), 0, "CoreSwap holds nothing in");
        assertEq(_tokenOf(leg.assetOutID).balanceOf(address(core)), 0, "CoreSwap holds nothing out");
    }

    function _balances(ICoreSwap.SwapInputs memory leg) private view returns (Balances memory) {
        TestToken tokenIn = _tokenOf(leg.assetInID);
        TestToken tokenOut = _tokenOf(leg.assetOutID);
        LP memory lp = _lpOf(leg.stablecoinDelegateID);
        return Balances({
            userIn: tokenIn.balanceOf(user),
            receiverOut: tokenOut.balanceOf(receiver),
            custodyIn: tokenIn.balanceOf(lp.custody),
            custodyOut: tokenOut.balanceOf(lp.custody),
            custodySettlement: lp.token.balanceOf(lp.custody),
            vault: lp.token.balanceOf(vault)
        });
    }
}
