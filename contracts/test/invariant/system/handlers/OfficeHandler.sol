// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SystemStore} from "../SystemStore.sol";
import {SystemHandler} from "./SystemHandler.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @notice Changes custodies, the vault and a delegate, intake caps and the treasury's terms, and recovers lost tokens
/// with their credits.
contract OfficeHandler is SystemHandler {
    struct Offices {
        address operator;
        address admin;
        /// Accounts that every LP lists as custody, and that have agreed.
        address[2] custodies;
        address[2] vaults;
        /// Two delegates of one stablecoin.
        bytes32 replacedID;
        address[2] delegates;
    }

    Offices private _offices;
    /// The first custody account, for RWAs and for stablecoins.
    mapping(address delegate => mapping(bool isRWA => address)) private _firstCustody;

    constructor(CoreSwap core, TreasuryDelegate delegate, SystemStore store, Offices memory offices)
        SystemHandler(core, delegate, store)
    {
        _offices = offices;
    }

    // -------------------------------------------------------------------------------------------------------- offices

    /// @notice Sets another custody for an LP's RWAs or stablecoins. Existing balances stay where they are.
    function changeCustody(uint256 lpSeed, bool isRWA, uint256 accountSeed) external paced {
        SystemStore.Asset memory lp = STORE.asset(lpSeed % 5);
        address current = isRWA ? lp.rwaCustody : lp.stablecoinCustody;
        if (_firstCustody[lp.delegate][isRWA] == address(0)) _firstCustody[lp.delegate][isRWA] = current;
        address[3] memory accounts = [_offices.custodies[0], _offices.custodies[1], _firstCustody[lp.delegate][isRWA]];
        IStablecoinDelegateAdmin admin = IStablecoinDelegateAdmin(lp.delegate);
        vm.prank(lp.issuerAdmin);
        if (isRWA) admin.setRWACustodyAddress(accounts[accountSeed % 3]);
        else admin.setStablecoinCustodyAddress(accounts[accountSeed % 3]);
        STORE.setOffice(lp.id, IStablecoinDelegate(lp.delegate));
        STORE.count("changeCustody", true);
    }

    /// @notice Switches one stablecoin to its other delegate, which has its own custodies and caps.
    function changeDelegate() external paced {
        SystemStore.Asset memory lp = STORE.assetOf(_offices.replacedID);
        address next = _offices.delegates[lp.delegate == _offices.delegates[0] ? 1 : 0];
        vm.prank(_offices.operator);
        CORE.setStablecoinAcceptance(lp.id, next, lp.token, true, false);
        STORE.setOffice(lp.id, IStablecoinDelegate(next));
        STORE.count("changeDelegate", true);
    }

    function changeVault() external paced {
        address next = _offices.vaults[STORE.vault() == _offices.vaults[0] ? 1 : 0];
        vm.prank(_offices.operator);
        CORE.setCoreVault(next);
        STORE.setVault(next);
        STORE.count("changeVault", true);
    }

    // ---------------------------------------------------------------------------------------------------------- terms

    /// @notice Sets an LP's intake cap of an asset, or of its own stablecoin while it counts. Then takes in up to the
    /// cap, up to half of it, and twice as much, which is refused. Or removes the cap.
    function setIntakeCap(uint256 lpSeed, uint256 assetSeed, uint256 userSeed, uint256 value) external paced {
        SystemStore.Asset memory lp = STORE.asset(lpSeed % 5);
        SystemStore.Asset memory rwa = STORE.asset(STORE.assetCount() - 2);
        SystemStore.Asset memory asset = STORE.asset(1 + assetSeed % (STORE.assetCount() - 1));
        bool isOwn = assetSeed % 4 == 0 && !lp.isTreasury && lp.rwaCustody != lp.stablecoinCustody;
        if (isOwn) asset = lp;
        else if (asset.id == lp.id) asset = rwa;
        bool isLifted = value % 4 == 0;
        uint256 cap = bound(value, 1e18, 1e23) * 10 ** asset.decimals / _price(asset) + 1;
        vm.prank(_offices.admin);
        IStablecoinDelegateAdmin(lp.delegate).setIntakeCap(asset.token, isLifted ? type(uint96).max : uint96(cap));
        STORE.setIntakeCap(lp.delegate, asset.token, isLifted ? 0 : cap);
        STORE.count("setIntakeCap", true);
        if (isLifted) return;
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(asset.isRWA ? 1 : 7, asset.id, lp.id, lp.id, cap, 0);
        if (isOwn) (leg.routeId, leg.assetOutID) = (3, rwa.id);
        for (uint256 i = 0; i < 2; ++i) {
            address user = _user(userSeed >> i);
            leg.assetInAmt = bound(uint256(keccak256(abi.encode(value, i))), 1, i == 0 ? cap : cap / 2 + 1);
            (bool success,) = _swap(_selfCall(user, user, leg));
            STORE.count(i == 0 ? "swapBelowTheCap" : "swapAtTheCap", success);
        }
        leg.assetInAmt = 2 * cap;
        (bool passed,) = _swap(_selfCall(_user(userSeed), _user(userSeed), leg));
        STORE.count("swapBeyondTheCap", !passed);
    }

    /// @notice Sets the management fee, the cap of rates and the fallback window.
    function setTreasuryTerms(uint256 fee, uint256 cap, uint256 window) external paced {
        vm.prank(STORE.asset(0).issuerAdmin);
        DELEGATE.setManagementFee(bound(fee, 0, 0.05e18));
        vm.startPrank(_offices.admin);
        DELEGATE.setMaxDailyRate(bound(cap, 0.2e18, 1e18));
        DELEGATE.setMaxFallbackRateSeconds(window % 4 == 0 ? 0 : bound(window, 1 days, 7 days));
        vm.stopPrank();
        STORE.count("setTreasuryTerms", true);
    }

    // ------------------------------------------------------------------------------------------------------- recovery

    /// @notice Moves an account's tokens and credits to another by force, or burns and cancels them. No credits are
    /// lost, and no more value than a unit of rounding.
    function recover(uint256 fromSeed, uint256 toSeed, uint256 amount, bool cancels) external paced {
        (address from, address to) = (_user(fromSeed), cancels ? address(0) : _user(toSeed));
        uint256 most = _redeemable(from);
        if (most == 0 || from == to) return;
        amount = amount % 4 == 0 ? most : bound(amount, 1, most);
        uint256 value = _value(from) + (cancels ? 0 : _value(to));
        vm.startPrank(_offices.admin);
        (bool success,) = address(DELEGATE).call(abi.encodeCall(DELEGATE.moveCredits, (from, to, amount)));
        STORE.count("recover", success);
        if (success) {
            if (cancels) TREASURY.forceBurn(from, amount);
            else TREASURY.forceTransfer(from, to, amount);
        }
        vm.stopPrank();
        if (!success) return;
        STORE.moveCredits(from, to, amount);
        if (cancels) {
            STORE.burn(from, amount);
            return;
        }
        STORE.move(address(TREASURY), from, to, amount);
        uint256 later = _value(from) + _value(to);
        if (later > value + 1 || later + 1 < value) STORE.report(SystemStore.Property.D30_MovesKeepCredits);
    }

    /// Returns the value of all credits of an account in an RWA withdrawal.
    function _value(address user) private view returns (uint256) {
        uint256 held = _credits(user);
        return held + DELEGATE.getYieldAmount(user, held, false);
    }
}
