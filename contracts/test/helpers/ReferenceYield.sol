// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title ReferenceYield
/// @notice The published rules of rates and credits, implemented again without code of the contracts. Growth is found
/// by bisection, indices are multiplied from the first day at each use, and accounts are plain arrays. Callers keep the
/// numbers within 256 bits.
contract ReferenceYield {
    struct Entry {
        address token;
        bool isRWA;
        uint256 credits;
        uint256 release;
        uint256 earningStart;
    }

    struct Account {
        uint256 c;
        uint256 m;
        uint256 f;
        Entry[] queue;
    }

    uint256 private constant W = 1e18;
    uint256 private constant E = 1e36;

    uint256 public firstDay;
    uint256 public lastDay;
    uint256 public window = 3 days;
    mapping(uint256 day => uint256) private growthOfDay;
    mapping(address who => Account) private accounts;

    // ------------------------------------------------------------------------------------------------------ rates

    function post(uint256 day, uint256 netRate) external {
        if (firstDay == 0) firstDay = day;
        lastDay = day;
        growthOfDay[day] = growth(netRate);
    }

    function correct(uint256 day, uint256 netRate) external {
        growthOfDay[day] = growth(netRate);
    }

    function setWindow(uint256 seconds_) external {
        window = seconds_;
    }

    /// `I(day)`.
    function index(uint256 day) public view returns (uint256 i) {
        i = E;
        if (firstDay == 0) return i;
        for (uint256 d = firstDay; d <= day; ++d) {
            i = i * (W + growthOfDay[d]) / W;
        }
    }

    /// The largest `g` with `P((W+g)*W) <= (W+a)*W`.
    function growth(uint256 a) public pure returns (uint256 low) {
        uint256 high = a / 365 + 1;
        while (high - low > 1) {
            uint256 middle = (low + high) / 2;
            if (p((W + middle) * W) <= (W + a) * W) low = middle;
            else high = middle;
        }
    }

    /// `x^365`: 365 = 1 + 4 + 8 + 32 + 64 + 256.
    function p(uint256 x) public pure returns (uint256) {
        uint256[9] memory powers;
        powers[0] = x;
        for (uint256 k = 1; k < 9; ++k) {
            powers[k] = powers[k - 1] * powers[k - 1] / E;
        }
        uint256 product = x * powers[2] / E;
        product = product * powers[3] / E;
        product = product * powers[5] / E;
        product = product * powers[6] / E;
        return product * powers[8] / E;
    }

    // ---------------------------------------------------------------------------------------------------- credits

    function deposit(address who, address token, uint256 n, bool isRWA, uint256 time) external {
        _accrue(who, type(uint256).max, type(uint256).max, time);
        Account storage account = accounts[who];
        uint256 today = time / 1 days;
        uint256 earningStart = isRWA ? time : (today + 1) * 1 days;
        for (uint256 i = 0; i < account.queue.length; ++i) {
            Entry storage entry = account.queue[i];
            bool sameDay = (entry.release - 24 hours) / 1 days == today;
            bool sameStart = _firstEarningDay(entry.earningStart) == _firstEarningDay(earningStart);
            if (sameDay && sameStart && entry.token == token && entry.isRWA == isRWA) {
                entry.credits += n;
                entry.release = time + 24 hours;
                return;
            }
        }
        account.queue.push(Entry(token, isRWA, n, time + 24 hours, earningStart));
    }

    function accrue(address who, uint256 maxDays, uint256 maxRecords, uint256 time)
        external
        returns (uint256 days_, uint256 records, bool complete, bool merged)
    {
        return _accrue(who, maxDays, maxRecords, time);
    }

    function redeem(address who, uint256 n, bool stable, uint256 time) external returns (uint256 value) {
        _accrue(who, type(uint256).max, type(uint256).max, time);
        value = _value(who, n, stable, time);
        Account storage account = accounts[who];
        while (n != 0 && account.queue.length != 0) {
            Entry storage back = account.queue[account.queue.length - 1];
            if (back.credits > n) {
                back.credits -= n;
                n = 0;
            } else {
                n -= back.credits;
                account.queue.pop();
            }
        }
        account.c -= n;
        if (account.c == 0) (account.m, account.f) = (0, 0);
    }

    /// Returns the value of redeeming `n` after accruing and merging in full. The caller has to restore the state.
    function accrueAndValue(address who, uint256 n, bool stable, uint256 time) external returns (uint256 value) {
        _accrue(who, type(uint256).max, type(uint256).max, time);
        return _value(who, n, stable, time);
    }

    function read(address who)
        external
        view
        returns (uint256 credits, uint256 multiplierWad, uint256 lastAccrualDay, Entry[] memory queue)
    {
        Account storage account = accounts[who];
        return (account.c, account.c == 0 ? W : account.m * W / E, account.f, account.queue);
    }

    function _accrue(address who, uint256 maxDays, uint256 maxRecords, uint256 time)
        private
        returns (uint256 days_, uint256 records, bool complete, bool merged)
    {
        Account storage account = accounts[who];
        complete = true;
        if (account.c != 0) {
            uint256 from = account.f;
            days_ = lastDay - from < maxDays ? lastDay - from : maxDays;
            account.f = from + days_;
            account.m = account.m * index(account.f) / index(from);
            complete = account.f == lastDay;
        }
        while (complete && records < maxRecords && _eligible(account, time)) {
            _mergeFront(account);
            ++records;
        }
        merged = !_eligible(account, time);
    }

    function _eligible(Account storage account, uint256 time) private view returns (bool) {
        if (account.queue.length == 0 || firstDay == 0) return false;
        Entry storage front = account.queue[0];
        uint256 f = account.c == 0 ? lastDay : account.f;
        return time >= front.release && _firstEarningDay(front.earningStart) <= f + 1;
    }

    function _mergeFront(Account storage account) private {
        Entry memory front = account.queue[0];
        if (account.c == 0) account.f = lastDay;
        uint256 m = E * index(account.f) / index(_firstEarningDay(front.earningStart) - 1);
        account.m = (account.c * account.m + front.credits * m) / (account.c + front.credits);
        account.c += front.credits;
        for (uint256 i = 1; i < account.queue.length; ++i) {
            account.queue[i - 1] = account.queue[i];
        }
        account.queue.pop();
    }

    function _value(address who, uint256 n, bool stable, uint256 time) private view returns (uint256 value) {
        Account storage account = accounts[who];
        uint256 withheld;
        for (uint256 i = 0; i < account.queue.length; ++i) {
            withheld += account.queue[i].credits;
        }
        if (n <= withheld) return n;
        uint256 main = (n - withheld) * account.m / E;
        value = withheld + main;
        if (stable) {
            uint256 elapsed = time - (account.f + 1) * 1 days;
            if (elapsed > window) elapsed = window;
            value += main * growthOfDay[lastDay] * elapsed / 86_400 / W;
        }
    }

    function _firstEarningDay(uint256 earningStart) private pure returns (uint256) {
        return earningStart % 86_400 == 0 ? earningStart / 86_400 : earningStart / 86_400 + 1;
    }
}
