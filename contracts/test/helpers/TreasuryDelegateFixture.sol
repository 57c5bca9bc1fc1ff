// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "./CoreSwapFixture.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TestToken} from "script/local/TestToken.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";

/// @title TreasuryDelegateFixture
/// @notice The treasury token and its delegate beside the LPs of {CoreSwapFixture}. `cash` and `note` have 18 decimals
/// and are worth 1 USD, so that without fees an amount of either is the same amount of treasury tokens. All settlements
/// go through the real CoreSwap.
abstract contract TreasuryDelegateFixture is CoreSwapFixture {
    /// The state of an account as its views return it.
    struct Stored {
        uint256 credits;
        uint256 withheld;
        uint256 multiplier;
        uint256 lastDay;
        ITreasuryDelegate.WithheldCredits[] queue;
    }

    uint256 internal constant E36 = 1e36;
    uint256 internal constant ALL = type(uint256).max;
    uint256 internal constant RATE = 0.05e18;
    uint256 internal constant FEE = 0.005e18;
    /// Growth of a day at 4.5 % APY, which is `RATE` less `FEE`.
    uint256 internal constant GROWTH = 120_601_478_394_943;
    uint256 internal constant DAY_ZERO = 20_000;
    uint256 internal constant TIME_OF_DAY = 10 hours;

    Treasury internal treasury;
    TreasuryDelegate internal delegate;
    bytes32 internal trsy = _id("TRSY");
    LP internal cash;
    RWA internal note;

    address internal issuer = makeAddr("treasury issuer admin");
    address internal poster = makeAddr("rate poster");
    address internal corrector = makeAddr("rate corrector");
    address internal rwaCustody = makeAddr("treasury rwa custody");
    address internal stablecoinCustody = makeAddr("treasury stablecoin custody");
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal carol = makeAddr("carol");

    function setUp() public virtual override {
        vm.warp(DAY_ZERO * 1 days + TIME_OF_DAY);
        super.setUp();
        cash = _addStablecoin("CASH", 18, WAD, address(0));
        note = _addRWA("NOTE", 18, WAD);
        _deployTreasury();
        _openCustody();
        address[5] memory holders = [user, alice, bob, carol, vault];
        for (uint256 i = 0; i < holders.length; ++i) {
            _admit(holders[i]);
        }
    }

    function _deployTreasury() private {
        bytes memory init = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", admin));
        treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), init)));
        delegate = _deployTreasuryDelegate(RATE, FEE);

        vm.startPrank(admin);
        treasury.grantRole(treasury.MINTER_ROLE(), address(delegate));
        treasury.grantRole(treasury.WHITELISTER_ROLE(), admin);
        treasury.grantRole(treasury.BLACKLISTER_ROLE(), admin);
        treasury.grantRole(treasury.PAUSER_ROLE(), admin);
        delegate.grantRole(delegate.OPERATOR_ROLE(), corrector);
        vm.stopPrank();

        vm.startPrank(operator);
        core.setStablecoinAcceptance(trsy, address(delegate), address(treasury), true, true);
        core.setStablecoinUSDValue(trsy, WAD);
        core.setProtocolFeeExempt(trsy, true);
        vm.stopPrank();
    }

    function _deployTreasuryDelegate(uint256 initialRate, uint256 fee) internal returns (TreasuryDelegate deployed) {
        bytes memory init = abi.encodeCall(
            TreasuryDelegate.initialize,
            (admin, issuer, address(core), trsy, address(treasury), initialRate, fee, poster)
        );
        return TreasuryDelegate(address(new ERC1967Proxy(address(new TreasuryDelegate()), init)));
    }

    function _openCustody() private {
        TestToken[6] memory tokens = _foreignTokens();
        address[2] memory custodies = [rwaCustody, stablecoinCustody];
        for (uint256 i = 0; i < tokens.length; ++i) {
            _uncap(address(delegate), address(tokens[i]));
        }
        for (uint256 c = 0; c < custodies.length; ++c) {
            _listCustody(address(delegate), custodies[c]);
            vm.startPrank(custodies[c]);
            delegate.acceptCustody();
            for (uint256 i = 0; i < tokens.length; ++i) {
                tokens[i].approve(address(delegate), ALL);
                tokens[i].mint(custodies[c], DEEP * 10 ** tokens[i].decimals());
            }
            vm.stopPrank();
        }
        vm.startPrank(issuer);
        delegate.setRWACustodyAddress(rwaCustody);
        delegate.setStablecoinCustodyAddress(stablecoinCustody);
        delegate.whitelistRWA(address(bill.token), true);
        delegate.whitelistRWA(address(bond.token), true);
        delegate.whitelistRWA(address(note.token), true);
        delegate.whitelistStablecoin(address(usdc.token), true);
        delegate.whitelistStablecoin(address(usdx.token), true);
        delegate.whitelistStablecoin(address(cash.token), true);
        vm.stopPrank();
    }

    function _foreignTokens() internal view returns (TestToken[6] memory tokens) {
        return [usdc.token, usdx.token, cash.token, bill.token, bond.token, note.token];
    }

    /// Whitelists an account for the token, funds it with all other assets, and approves the delegate.
    function _admit(address account) internal {
        TestToken[6] memory tokens = _foreignTokens();
        vm.startPrank(account);
        for (uint256 i = 0; i < tokens.length; ++i) {
            tokens[i].mint(account, DEEP * 10 ** tokens[i].decimals());
            tokens[i].approve(address(delegate), ALL);
        }
        treasury.approve(address(delegate), ALL);
        vm.stopPrank();
        vm.prank(admin);
        treasury.addToWhitelist(account);
    }

    /// Every rate differs, so that no test passes by reading the wrong one.
    function _setTreasuryRates() internal {
        vm.startPrank(operator);
        core.setProtocolFeeExempt(trsy, false);
        core.setIssuerPaidProtocolFeeRate(trsy, 0.0009e18);
        vm.stopPrank();
        vm.startPrank(issuer);
        delegate.setRWADiscountRate(bill.id, 0.0021e18);
        delegate.setRWARedemptionFee(bill.id, 0.0027e18);
        delegate.setRWADiscountRate(bond.id, 0.0033e18);
        delegate.setRWARedemptionFee(bond.id, 0.0039e18);
        delegate.setStablecoinAcceptanceFee(address(usdc.token), 0.0012e18);
        delegate.setStablecoinRedemptionFee(address(usdc.token), 0.0018e18);
        delegate.setStablecoinAcceptanceFee(address(usdx.token), 0.0014e18);
        delegate.setStablecoinRedemptionFee(address(usdx.token), 0.0016e18);
        vm.stopPrank();
    }

    // ------------------------------------------------------------------------------------------------------ time

    function _today() internal view returns (uint256) {
        return vm.getBlockTimestamp() / 1 days;
    }

    /// Advances to a day, at the hour at which the fixture starts.
    function _goToDay(uint256 day) internal {
        vm.warp(day * 1 days + TIME_OF_DAY);
    }

    function _post(uint256 day, uint256 grossRate) internal {
        vm.prank(poster);
        delegate.postDailyRate(day, grossRate);
    }

    /// Posts `RATE` for every missing day, from the day of the deployment through yesterday.
    function _postAll() internal {
        uint256 last = delegate.lastRatePostingDay();
        for (uint256 day = last == 0 ? DAY_ZERO : last + 1; day < _today(); ++day) {
            _post(day, RATE);
        }
    }

    /// Advances to a day and posts the missing rates.
    function _goToDayAndPost(uint256 day) internal {
        _goToDay(day);
        _postAll();
    }

    // ------------------------------------------------------------------------------------------------------ legs

    /// Deposits stablecoins for exactly `amount` treasury tokens.
    function _deposit(address account, uint256 amount) internal {
        _swapAs(account, account, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, amount));
    }

    /// Deposits an RWA for exactly `amount` treasury tokens.
    function _depositRWA(address account, uint256 amount) internal {
        _swapAs(account, account, ICoreSwap.SwapInputs(2, note.id, trsy, trsy, ALL, amount));
    }

    /// Redeems `amount` tokens for stablecoins.
    function _redeem(address account, uint256 amount) internal returns (uint256 paid) {
        uint256 before = cash.token.balanceOf(account);
        _swapAs(account, account, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, amount, 0));
        return cash.token.balanceOf(account) - before;
    }

    /// Redeems `amount` tokens for an RWA.
    function _redeemForRWA(address account, uint256 amount) internal returns (uint256 paid) {
        uint256 before = note.token.balanceOf(account);
        _swapAs(account, account, ICoreSwap.SwapInputs(3, trsy, note.id, trsy, amount, 0));
        return note.token.balanceOf(account) - before;
    }

    function _swapAs(address account, address to, ICoreSwap.SwapInputs memory leg) internal {
        vm.prank(account);
        core.swap(account, to, _one(leg), _noPermit());
    }

    function _accrueAll(address account) internal {
        delegate.accrueInterest(account, ALL, ALL);
    }

    // ----------------------------------------------------------------------------------------------- observation

    function _stored(address account) internal view returns (Stored memory stored) {
        stored.credits = delegate.credits(account);
        stored.withheld = delegate.totalWithheldCredits(account);
        stored.multiplier = delegate.yieldMultiplier(account);
        stored.lastDay = delegate.lastAccrualDay(account);
        stored.queue = delegate.getWithheldCredits(account);
    }

    function _assertStored(address account, Stored memory expected) internal view {
        Stored memory actual = _stored(account);
        assertEq(actual.credits, expected.credits, "credits");
        assertEq(actual.withheld, expected.withheld, "withheld");
        assertEq(actual.multiplier, expected.multiplier, "multiplier");
        assertEq(actual.lastDay, expected.lastDay, "lastDay");
        assertEq(abi.encode(actual.queue), abi.encode(expected.queue), "queue");
    }

    /// Returns the value of the account's credits in an RWA withdrawal: principal plus the yield of whole days.
    function _value(address account) internal view returns (uint256) {
        uint256 held = delegate.credits(account) + delegate.totalWithheldCredits(account);
        return held + delegate.getYieldAmount(account, held, false);
    }

    /// Makes a call that may revert, and returns the error for the test to compare.
    function _try(address caller, bytes memory data) internal returns (bool success, bytes memory reason) {
        vm.prank(caller);
        return address(delegate).call(data);
    }

    function _assertReverts(address caller, bytes memory data, bytes memory expected) internal {
        (bool success, bytes memory reason) = _try(caller, data);
        assertFalse(success, "expected a revert");
        assertEq(reason, expected);
    }
}
