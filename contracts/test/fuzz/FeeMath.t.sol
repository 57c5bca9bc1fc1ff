// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../helpers/BaseTest.sol";
import {ReferenceQuote} from "../helpers/ReferenceQuote.sol";
import {FeeMath} from "src/libraries/FeeMath.sol";

/// Tests the fee split over the whole range of amounts and rates.
contract FeeMathTest is BaseTest {
    /// The parts of one leg's value.
    struct Split {
        uint256 gross;
        uint256 net;
        uint256 issuerFee;
        uint256 spreadFee;
        uint256 lpFee;
    }

    uint256 private constant WAD = 1e18;
    uint256 private constant MAX_RATE = 0.99e18;

    function test_MaxRate_IsBelowOne() public pure {
        assertEq(FeeMath.MAX_RATE, MAX_RATE);
        assertEq(FeeMath.WAD, WAD);
    }

    function test_SplitGross_OfZero_IsAllZero() public pure {
        Split memory s = _splitGross(0, FeeMath.Rates(MAX_RATE, WAD, MAX_RATE, MAX_RATE));
        assertEq(s.gross + s.net + s.issuerFee + s.spreadFee + s.lpFee, 0);
    }

    /// 1,000,000 units at an issuer fee of 0.1 % and LP rates of 0.2 % and 0.3 %, with a fifth of the spread to the
    /// protocol. Less 1,000 is 999,000; less 1,998 is 997,002; less ⌈2,991.006⌉ is 994,010; ⌊4,990 / 5⌋ = 998.
    function test_SplitGross_OfAWorkedExample() public pure {
        Split memory s = _splitGross(1_000_000, FeeMath.Rates(0.001e18, 0.2e18, 0.002e18, 0.003e18));
        assertEq(s.issuerFee, 1_000);
        assertEq(s.net, 994_010);
        assertEq(s.spreadFee, 998);
        assertEq(s.lpFee, 3_992);
    }

    /// The smallest rates still take fees: only a rate of zero is free.
    function test_SplitGross_AtTheSmallestRates_TakesFees() public pure {
        Split memory s = _splitGross(4e18, FeeMath.Rates(1, 1, 0.5e18, 1));
        assertEq(s.issuerFee, 4);
        assertEq(s.net, 2e18 - 4);
        assertEq(s.spreadFee, 2);
        assertEq(s.lpFee, 2e18 - 2);
    }

    function test_SplitNet_WhenGrossPasses256Bits_IsTheLargestNumber() public pure {
        uint256 most = type(uint256).max;
        assertEq(_splitNet(most, FeeMath.Rates(0, 0, 0, 1)).gross, most);
        assertEq(_splitNet(most, FeeMath.Rates(0, 0, 1, 0)).gross, most);
        assertEq(_splitNet(most / 99, FeeMath.Rates(MAX_RATE, 0, 0, 0)).gross, most);
        assertEq(_splitNet(most, FeeMath.Rates(0, WAD, 0, 0)).gross, most);
    }

    function testFuzz_S5_SplitGross_PartsAddUpAtAnySize(uint256 gross, FeeMath.Rates memory rates) public pure {
        _bound(rates);
        Split memory s = _splitGross(gross, rates);
        assertEq(s.net + s.issuerFee + s.spreadFee + s.lpFee, gross);
    }

    function testFuzz_S5_SplitNet_PartsAddUpAtAnySize(uint256 net, FeeMath.Rates memory rates) public pure {
        _bound(rates);
        Split memory s = _splitNet(net, rates);
        assertEq(s.net + s.issuerFee + s.spreadFee + s.lpFee, s.gross);
    }

    /// Splitting the returned gross value leaves at least the requested net value.
    function testFuzz_S6_SplitNet_IsEnough(uint256 net, FeeMath.Rates memory rates) public pure {
        _bound(rates);
        Split memory s = _splitNet(net, rates);
        if (s.gross != type(uint256).max) assertGe(_splitGross(s.gross, rates).net, net);
    }

    /// The returned gross value never exceeds one that is known to be enough.
    function testFuzz_S6_SplitNet_NeverAsksForMoreThanEnough(uint256 gross, FeeMath.Rates memory rates) public pure {
        _bound(rates);
        assertLe(_splitNet(_splitGross(gross, rates).net, rates).gross, gross);
    }

    function testFuzz_S8_SplitGross_HigherRatesNeverLeaveMore(uint256 gross, FeeMath.Rates memory rates, uint256 rise)
        public
        pure
    {
        _bound(rates);
        uint256 net = _splitGross(gross, rates).net;
        rates.firstRate += bound(rise, 0, MAX_RATE - rates.firstRate);
        assertLe(_splitGross(gross, rates).net, net);
    }

    /// @dev External, so that an overflow of 256 bits can be caught.
    function resolve(ReferenceQuote.Terms memory terms) external pure returns (ReferenceQuote.Result memory) {
        return ReferenceQuote.resolve(terms);
    }

    function testFuzz_Split_EqualsTheReferenceAtAnySize(uint256 amount, bool fromGross, FeeMath.Rates memory rates)
        public
        view
    {
        _bound(rates);
        // Both sides of the leg are in units of the settling stablecoin, so that only fees are compared.
        ReferenceQuote.Terms memory terms;
        (terms.exactIn, terms.amount) = (fromGross, amount);
        (terms.inSettles, terms.outSettles) = (true, true);
        (terms.i, terms.t, terms.d1, terms.d2) = (rates.issuerRate, rates.takeRate, rates.firstRate, rates.secondRate);
        Split memory s = fromGross ? _splitGross(amount, rates) : _splitNet(amount, rates);
        try this.resolve(terms) returns (ReferenceQuote.Result memory expected) {
            assertEq(s.gross, expected.gross);
            assertEq(s.net, expected.net);
            assertEq(s.issuerFee, expected.issuerFee);
            assertEq(s.spreadFee, expected.spreadFee);
            assertEq(s.lpFee, expected.lpFee);
        } catch {
            assertFalse(fromGross);
            assertEq(s.gross, type(uint256).max);
        }
    }

    function _splitGross(uint256 gross, FeeMath.Rates memory rates) private pure returns (Split memory s) {
        s.gross = gross;
        (s.net, s.issuerFee, s.spreadFee, s.lpFee) = FeeMath.splitGross(gross, rates);
    }

    function _splitNet(uint256 net, FeeMath.Rates memory rates) private pure returns (Split memory s) {
        s.net = net;
        (s.gross, s.issuerFee, s.spreadFee, s.lpFee) = FeeMath.splitNet(net, rates);
    }

    function _bound(FeeMath.Rates memory rates) private pure {
        rates.issuerRate = bound(rates.issuerRate, 0, MAX_RATE);
        rates.takeRate = bound(rates.takeRate, 0, WAD);
        rates.firstRate = bound(rates.firstRate, 0, MAX_RATE);
        rates.secondRate = bound(rates.secondRate, 0, MAX_RATE);
    }
}
