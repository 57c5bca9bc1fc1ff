// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {HostileToken} from "../../mocks/HostileToken.sol";
import {IPace} from "./IPace.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";

/// @title SystemStore
/// @notice The handlers' own record of the system: the participants, and ledgers of balances, credits, allowances and
/// nonces. Ledgers follow from the events and the published settlement table, and never from a balance that was read.
contract SystemStore {
    /// Properties of single calls. Invariants of sequences are checked from the ledgers.
    enum Property {
        S1_QuoteIsSwap,
        S2_QuoteRevertsAsSwap,
        S4_OneEventALeg,
        S11_SignatureServesOnce,
        S12_SignatureIsOneWallets,
        S15_NoReentrancy,
        S16_GuardrailHolds,
        S17_KindsAreForLife,
        S18_BlacklistedTakesNoPart,
        S20_DonationsChangeNothing,
        S21_DerivedLegsAreAllowed,
        S22_WhatArrivesIsMeasured,
        D4_WrongDaysRefused,
        D15_RedeemableIsLimited,
        D24_PausedMovesNothing,
        D26_AdministratorsTakeNothing,
        D29_IntakeCapsHold,
        D30_MovesKeepCredits
    }

    struct Asset {
        bytes32 id;
        address token;
        uint8 decimals;
        bool isRWA;
        bool isTreasury;
        address delegate;
        address rwaCustody;
        address stablecoinCustody;
        address issuerAdmin;
    }

    /// Amount of an asset that came in, or went out if it is negative.
    struct Intake {
        uint256 time;
        int256 amount;
    }

    struct Statistics {
        uint256 calls;
        uint256 failures;
    }

    uint256 internal constant INFINITE = type(uint256).max;

    Asset[] private _assets;
    mapping(bytes32 id => uint256) private _indexOf;
    address[] public accounts;
    address[] public users;
    mapping(address user => uint256) public keyOf;
    address public vault;
    HostileToken public hostile;
    IPace public pace;
    /// The custody that keeps its reserve in the treasury token; zero if none does.
    address public reserveCustody;

    mapping(address token => mapping(address account => uint256)) public balances;
    mapping(address account => uint256) public granted;
    mapping(address account => uint256) public consumed;
    mapping(address user => mapping(address operator => mapping(bytes32 id => uint256))) public allowances;
    mapping(address user => uint256) public nonces;
    uint256 public supply;

    /// Intake caps in force; zero means none.
    mapping(address delegate => mapping(address token => uint256)) public intakeCaps;
    mapping(address delegate => mapping(address token => Intake[])) private _intakes;

    mapping(Property property => uint256) public violations;
    string[] private _calls;
    mapping(string call => Statistics) private _statistics;

    // ------------------------------------------------------------------------------------------------- who takes part

    function addAsset(Asset calldata asset_) external {
        _indexOf[asset_.id] = _assets.length;
        _assets.push(asset_);
    }

    /// Tracks the balances of an account, which starts with `wholeTokens` of every token but the treasury's.
    function addAccount(address account, uint256 wholeTokens) external {
        accounts.push(account);
        for (uint256 i = 0; i < _assets.length; ++i) {
            Asset storage a = _assets[i];
            if (!a.isTreasury) balances[a.token][account] = wholeTokens * 10 ** a.decimals;
        }
    }

    /// Adds an account that swaps. `key` signs for it, as its own key or as that of a wallet's owner.
    function addUser(address user, uint256 key) external {
        users.push(user);
        keyOf[user] = key;
    }

    function setParties(address vault_, HostileToken hostile_) external {
        (vault, hostile) = (vault_, hostile_);
    }

    function setPace(IPace pace_) external {
        pace = pace_;
    }

    function setVault(address vault_) external {
        vault = vault_;
    }

    /// Sets another delegate, or other custodies of the same delegate.
    function setOffice(bytes32 id, IStablecoinDelegate delegate) external {
        Asset storage changed = _assets[_indexOf[id]];
        changed.delegate = address(delegate);
        changed.rwaCustody = delegate.balanceSheetCustodyAddress();
        changed.stablecoinCustody = delegate.stablecoinCustodyAddress();
    }

    function setReserveCustody(address custody) external {
        reserveCustody = custody;
    }

    function asset(uint256 seed) external view returns (Asset memory) {
        return _assets[seed % _assets.length];
    }

    function assetOf(bytes32 id) public view returns (Asset memory) {
        return _assets[_indexOf[id]];
    }

    function assetCount() external view returns (uint256) {
        return _assets.length;
    }

    function accountCount() external view returns (uint256) {
        return accounts.length;
    }

    function userCount() external view returns (uint256) {
        return users.length;
    }

    // --------------------------------------------------------------------------------------------------------- ledgers

    /// Applies the settlement table: the transfers of a leg with these amounts.
    function applyLeg(
        address user,
        address receiver,
        ICoreSwap.SwapInputs calldata leg,
        ICoreSwap.SwapResolved calldata amounts
    ) external {
        Asset memory c = assetOf(leg.stablecoinDelegateID);
        Asset memory assetIn = assetOf(leg.assetInID);
        Asset memory assetOut = assetOf(leg.assetOutID);
        uint256 fee = amounts.issuerFeeAmt + amounts.spreadFeeAmt;

        if (leg.assetInID != c.id) {
            _countIntake(c.delegate, assetIn.token, int256(amounts.tokenInAmt));
            move(assetIn.token, user, assetIn.isRWA ? c.rwaCustody : c.stablecoinCustody, amounts.tokenInAmt);
        } else if (c.isTreasury) {
            burn(user, amounts.tokenInAmt);
            consumed[user] += amounts.tokenInAmt;
            _mintWithCredits(vault, fee);
        } else {
            if (assetOut.isRWA && c.rwaCustody != c.stablecoinCustody) {
                _countIntake(c.delegate, c.token, int256(amounts.tokenInAmt - fee));
            }
            move(c.token, user, c.stablecoinCustody, amounts.tokenInAmt - fee);
            move(c.token, user, vault, fee);
        }

        if (leg.assetOutID != c.id) {
            _countIntake(c.delegate, assetOut.token, -int256(amounts.tokenOutAmt));
            move(assetOut.token, assetOut.isRWA ? c.rwaCustody : c.stablecoinCustody, receiver, amounts.tokenOutAmt);
        } else if (c.isTreasury) {
            _mintWithCredits(receiver, amounts.tokenOutAmt);
        } else {
            move(c.token, c.stablecoinCustody, receiver, amounts.tokenOutAmt);
        }

        if (leg.assetInID == c.id) return;
        if (c.isTreasury) _mintWithCredits(vault, fee);
        else move(c.token, c.stablecoinCustody, vault, fee);
    }

    /// Bounds the intake from now on; zero for no bound.
    function setIntakeCap(address delegate, address token, uint256 cap) external {
        intakeCaps[delegate][token] = cap;
        delete _intakes[delegate][token];
    }

    /// Checks that the intake since any moment of the last 24 hours is at most twice the cap. Of foreign assets, it is
    /// net of payouts.
    function _countIntake(address delegate, address token, int256 amount) private {
        uint256 cap = intakeCaps[delegate][token];
        if (cap == 0) return;
        Intake[] storage intakes = _intakes[delegate][token];
        intakes.push(Intake(block.timestamp, amount));
        int256 sum;
        for (uint256 i = intakes.length; i != 0 && intakes[i - 1].time + 1 days > block.timestamp; --i) {
            sum += intakes[i - 1].amount;
            if (sum > int256(2 * cap)) ++violations[Property.D29_IntakeCapsHold];
        }
    }

    /// Moves credits from one account to another, or removes them.
    function moveCredits(address from, address to, uint256 amount) external {
        consumed[from] += amount;
        if (to != address(0)) granted[to] += amount;
    }

    function move(address token, address from, address to, uint256 amount) public {
        balances[token][from] -= amount;
        bool takesFee = token == address(hostile) && amount != 0 && hostile.mode() == HostileToken.Mode.TakesFee;
        balances[token][to] += takesFee ? amount - 1 : amount;
    }

    function mint(address to, uint256 amount) public {
        balances[_treasury()][to] += amount;
        supply += amount;
    }

    function burn(address from, uint256 amount) public {
        balances[_treasury()][from] -= amount;
        supply -= amount;
    }

    function give(address token, address to, uint256 amount) external {
        balances[token][to] += amount;
    }

    function setAllowance(address user, address operator, bytes32 id, uint256 amount) external {
        allowances[user][operator][id] = amount;
    }

    function spendAllowance(address user, address operator, bytes32 id, uint256 amount) external {
        if (allowances[user][operator][id] != INFINITE) allowances[user][operator][id] -= amount;
    }

    function useNonce(address user) external returns (uint256) {
        return nonces[user]++;
    }

    // --------------------------------------------------------------------------------------------- checks, statistics

    function propertyName(Property property) external pure returns (string memory) {
        string[18] memory names = [
            "S1_QuoteIsSwap",
            "S2_QuoteRevertsAsSwap",
            "S4_OneEventALeg",
            "S11_SignatureServesOnce",
            "S12_SignatureIsOneWallets",
            "S15_NoReentrancy",
            "S16_GuardrailHolds",
            "S17_KindsAreForLife",
            "S18_BlacklistedTakesNoPart",
            "S20_DonationsChangeNothing",
            "S21_DerivedLegsAreAllowed",
            "S22_WhatArrivesIsMeasured",
            "D4_WrongDaysRefused",
            "D15_RedeemableIsLimited",
            "D24_PausedMovesNothing",
            "D26_AdministratorsTakeNothing",
            "D29_IntakeCapsHold",
            "D30_MovesKeepCredits"
        ];
        return names[uint256(property)];
    }

    function report(Property property) external {
        ++violations[property];
    }

    function count(string calldata call, bool succeeded) external {
        Statistics storage s = _statistics[call];
        if (s.calls == 0) _calls.push(call);
        ++s.calls;
        if (!succeeded) ++s.failures;
    }

    function statisticsOf(string calldata call) external view returns (Statistics memory) {
        return _statistics[call];
    }

    function statistics()
        external
        view
        returns (string[] memory names, Statistics[] memory each, Statistics memory total)
    {
        names = _calls;
        each = new Statistics[](names.length);
        for (uint256 i = 0; i < names.length; ++i) {
            each[i] = _statistics[names[i]];
            total.calls += each[i].calls;
            total.failures += each[i].failures;
        }
    }

    function _mintWithCredits(address to, uint256 amount) private {
        mint(to, amount);
        granted[to] += amount;
    }

    /// Returns the treasury token, which is the first asset.
    function _treasury() private view returns (address) {
        return _assets[0].token;
    }
}
