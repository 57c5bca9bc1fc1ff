// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "./TreasuryDelegateFixture.sol";
import {TestToken} from "script/local/TestToken.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title TreasuryDecimalsFixture
/// @notice The treasury token's LP deals in a stablecoin and an RWA of 0, 6, 8 and 18 decimals each. `alice` has a
/// history of deposits of every kind: main credits with days to accrue, and records that can merge, that wait for their
/// rates, and that are withheld.
abstract contract TreasuryDecimalsFixture is TreasuryDelegateFixture {
    uint256 internal constant HISTORY_DAYS = 8;
    /// Number of days of the history without a rate.
    uint256 internal constant LATE_DAYS = 2;

    LP[4] internal stablecoins;
    RWA[4] internal rwaTokens;

    function setUp() public virtual override {
        super.setUp();
        stablecoins[0] = _addStablecoin("COIN", 0, WAD, address(0));
        stablecoins[1] = usdc;
        stablecoins[2] = _addStablecoin("MARK", 8, WAD, address(0));
        stablecoins[3] = cash;
        rwaTokens[0] = _addRWA("ACRE", 0, WAD);
        rwaTokens[1] = bond;
        rwaTokens[2] = _addRWA("GOLD", 8, WAD);
        rwaTokens[3] = note;
        address[7] memory holders = [user, alice, bob, carol, vault, rwaCustody, stablecoinCustody];
        for (uint256 k = 0; k < 4; ++k) {
            _uncap(address(delegate), address(stablecoins[k].token));
            _uncap(address(delegate), address(rwaTokens[k].token));
            vm.startPrank(issuer);
            delegate.whitelistStablecoin(address(stablecoins[k].token), true);
            delegate.whitelistRWA(address(rwaTokens[k].token), true);
            vm.stopPrank();
            for (uint256 h = 0; h < holders.length; ++h) {
                stablecoins[k].token.mint(holders[h], DEEP * 10 ** stablecoins[k].token.decimals());
                rwaTokens[k].token.mint(holders[h], DEEP * 10 ** rwaTokens[k].token.decimals());
                vm.startPrank(holders[h]);
                stablecoins[k].token.approve(address(delegate), ALL);
                rwaTokens[k].token.approve(address(delegate), ALL);
                vm.stopPrank();
            }
        }
        for (uint256 day = DAY_ZERO; day < DAY_ZERO + HISTORY_DAYS; ++day) {
            _goToDay(day);
            if (day < DAY_ZERO + HISTORY_DAYS - LATE_DAYS) _postAll();
            _depositAny(alice, day, 10_000e18 + day * 1e15 + day);
            _depositAny(alice, day + 1, 3_000e18 + day);
        }
    }

    /// Deposits for exactly `amount` treasury tokens, in a stablecoin or an RWA of any decimals.
    function _depositAny(address account, uint256 seed, uint256 amount) internal {
        (bool isRWA, bytes32 id) = _foreignAsset(seed);
        _swapAs(account, account, ICoreSwap.SwapInputs(isRWA ? 2 : 8, id, trsy, trsy, ALL, amount));
    }

    /// Returns the redemption of `amount` tokens for a stablecoin or an RWA of any decimals.
    function _redemption(uint256 seed, uint256 amount) internal view returns (ICoreSwap.SwapInputs memory leg) {
        (bool isRWA, bytes32 id) = _foreignAsset(seed);
        return ICoreSwap.SwapInputs(isRWA ? 3 : 7, trsy, id, trsy, amount, 0);
    }

    function _foreignAsset(uint256 seed) internal view returns (bool isRWA, bytes32 id) {
        isRWA = seed % 2 == 1;
        id = isRWA ? rwaTokens[(seed >> 1) % 4].id : stablecoins[(seed >> 1) % 4].id;
    }

    /// Posts none, some or all of the late days.
    function _postSome(uint256 seed) internal {
        uint256 count = seed % (LATE_DAYS + 2);
        for (uint256 day = delegate.lastRatePostingDay() + 1; day < _today() && count != 0; --count) {
            _post(day++, (seed >> 8) % 0.2e18);
        }
    }

    function _held(address account) internal view returns (uint256) {
        return delegate.credits(account) + delegate.totalWithheldCredits(account);
    }

    /// Posts some of the late days and lets time pass.
    function _age(uint256 posts, uint256 elapsed) internal {
        vm.warp(vm.getBlockTimestamp() + bound(elapsed, 0, 3 days));
        _postSome(posts);
    }

    function _tokenOut(uint256 seed) internal view returns (TestToken) {
        return seed % 2 == 1 ? rwaTokens[(seed >> 1) % 4].token : stablecoins[(seed >> 1) % 4].token;
    }

    /// Returns the growth of a day, found by bisection with the power of the definition.
    function _growth(uint256 rate) internal pure returns (uint256 low) {
        uint256 high = rate / 365 + 1;
        while (high - low > 1) {
            uint256 middle = (low + high) / 2;
            uint256 power = E36;
            uint256 x = (WAD + middle) * WAD;
            for (uint256 e = 365; e != 0; e >>= 1) {
                if (e % 2 == 1) power = power * x / E36;
                x = x * x / E36;
            }
            if (power <= (WAD + rate) * WAD) low = middle;
            else high = middle;
        }
    }
}
