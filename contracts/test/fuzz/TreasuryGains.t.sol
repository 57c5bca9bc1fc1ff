// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDecimalsFixture} from "../helpers/TreasuryDecimalsFixture.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";

/// Nobody gains from the treasury's LP without paying for it, and nobody can block another account there.
contract TreasuryGainsTest is TreasuryDecimalsFixture {
    /* D19, D20, D21: no free gains */

    function testFuzz_D19_DepositAndRedemptionInOneSecond_PayNoMoreThanWentIn(
        uint256 assetIn,
        uint256 assetOut,
        uint256 amount,
        uint256 posts,
        uint256 elapsed
    ) public {
        _age(posts, elapsed);
        amount = bound(amount, 1e18, 1e27);
        (bool isRWAIn, bytes32 idIn) = _foreignAsset(assetIn);
        uint256 credits = _held(carol);
        vm.startPrank(carol);
        core.swap(
            carol,
            carol,
            _one(ICoreSwap.SwapInputs(isRWAIn ? 1 : 7, idIn, trsy, trsy, _fromWad(idIn, amount), 0)),
            _noPermit()
        );
        uint256 minted = _held(carol) - credits;
        ICoreSwap.SwapResolved memory q = core.quoteSwap(carol, _redemption(assetOut, minted));
        core.swap(carol, carol, _one(_redemption(assetOut, minted)), _noPermit());
        vm.stopPrank();
        (, bytes32 idOut) = _foreignAsset(assetOut);
        assertLe(_usd(idOut, q.tokenOutAmt), _usd(idIn, _fromWad(idIn, amount)));
        assertEq(_held(carol), 0);
    }

    function testFuzz_D20_RedemptionInParts_PaysNoMoreThanAtOnce(
        uint256 asset,
        uint256 amount,
        uint256 part,
        uint256 posts,
        uint256 elapsed
    ) public {
        _age(posts, elapsed);
        amount = bound(amount, 4e18, _held(alice));
        part = bound(part, 2e18, amount - 2e18);
        TestToken paid = _tokenOut(asset);
        uint256 before = paid.balanceOf(alice);
        uint256 snapshot = vm.snapshotState();
        _swapAs(alice, alice, _redemption(asset, amount));
        uint256 atOnce = paid.balanceOf(alice) - before;
        vm.revertToState(snapshot);
        _swapAs(alice, alice, _redemption(asset, part));
        _swapAs(alice, alice, _redemption(asset, amount - part));
        assertLe(paid.balanceOf(alice) - before, atOnce);
    }

    function testFuzz_D3_D21_Merging_CreatesNoValueAndLosesAUnitAMergeAtMost(
        uint256 posts,
        uint256 elapsed,
        uint256 records
    ) public {
        _age(posts, elapsed);
        delegate.accrueInterest(alice, ALL, 1);
        Stored memory before = _stored(alice);
        (, uint256 merged,,) = delegate.accrueInterest(alice, ALL, bound(records, 1, 8));
        Stored memory later = _stored(alice);
        // Each merged record is worth its credits grown since its first earning day, and the sum is unchanged.
        uint256 worth = before.credits * before.multiplier / WAD;
        for (uint256 i = 0; i < merged; ++i) {
            worth += before.queue[i].credits * _growthThrough(before.queue[i], later.lastDay) / E36;
        }
        // Multipliers are shown in WAD, which hides one unit per WAD of credits.
        uint256 shown = later.credits / WAD + merged + 1;
        assertApproxEqAbs(later.credits * later.multiplier / WAD, worth, shown);
    }

    /// Returns the growth from a record's first earning day through a day.
    function _growthThrough(ITreasuryDelegate.WithheldCredits memory record, uint256 last)
        private
        view
        returns (uint256 index)
    {
        index = E36;
        for (uint256 day = (record.earningStartTimestamp + 1 days - 1) / 1 days; day <= last; ++day) {
            index = index * (WAD + _growth(delegate.dailyRates(day))) / WAD;
        }
    }

    /* D27: hostile deposits */

    /// Each run makes about eighty swaps.
    /// forge-config: default.fuzz.runs = 100
    /// forge-config: ci.fuzz.runs = 500
    function testFuzz_D27_HostileDeposits_BlockNobody(uint256 seed, uint256 count) public {
        count = bound(count, 64, 96);
        uint256 recordsBefore = delegate.getWithheldCredits(alice).length;
        for (uint256 i = 0; i < count; ++i) {
            // Gifts: the depositor pays, and the victim receives.
            (bool isRWA, bytes32 id) = _foreignAsset(uint256(keccak256(abi.encode(seed, i))));
            _swapAs(bob, alice, ICoreSwap.SwapInputs(isRWA ? 2 : 8, id, trsy, trsy, ALL, 1 + i));
            if (i % 16 == 0) vm.warp(vm.getBlockTimestamp() + seed % 600);
        }
        assertLe(delegate.getWithheldCredits(alice).length, recordsBefore + 8, "a record a token, not a deposit");
        _depositAny(alice, seed, 1e18);
        uint256 held = _held(alice);
        _swapAs(alice, alice, _redemption(seed, held));
        assertEq(_held(alice), 0);
    }

    /* helpers */

    function _usd(bytes32 id, uint256 amount) private view returns (uint256) {
        (uint256 decimals, uint256 price) = _terms(id);
        return amount * 10 ** (18 - decimals) * price / WAD;
    }

    /// Converts a WAD value to token units. Returns at least one whole token, because a token without decimals has no
    /// smaller amount.
    function _fromWad(bytes32 id, uint256 amountWad) private view returns (uint256) {
        (uint256 decimals, uint256 price) = _terms(id);
        return Math.max(amountWad * WAD / price / 10 ** (18 - decimals), 10 ** decimals);
    }

    function _terms(bytes32 id) private view returns (uint256 decimals, uint256 price) {
        for (uint256 k = 0; k < 4; ++k) {
            if (id == stablecoins[k].id) return (stablecoins[k].token.decimals(), WAD);
            if (id == rwaTokens[k].id) return (rwaTokens[k].token.decimals(), rwaTokens[k].adapter.getPrice());
        }
        revert("unknown asset");
    }
}
