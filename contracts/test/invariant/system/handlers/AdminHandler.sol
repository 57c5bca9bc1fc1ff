// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SystemStore} from "../SystemStore.sol";
import {SystemHandler} from "./SystemHandler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {SettablePriceAdapter} from "test/mocks/SettablePriceAdapter.sol";

/// @notice Changes prices, values, guardrails and rates. Operator, administrator and LPs try calls that must fail.
contract AdminHandler is SystemHandler {
    address private immutable OPERATOR;
    address private immutable ADMIN;
    address private immutable COLD_STORAGE;
    bool private immutable HAS_FEES;

    constructor(
        CoreSwap core,
        TreasuryDelegate delegate,
        SystemStore store,
        address[3] memory operatorAdminColdStorage,
        bool hasFees
    ) SystemHandler(core, delegate, store) {
        (OPERATOR, ADMIN, COLD_STORAGE) =
        (operatorAdminColdStorage[0], operatorAdminColdStorage[1], operatorAdminColdStorage[2]);
        HAS_FEES = hasFees;
    }

    // ------------------------------------------------------------------------------------------------------ settings

    /// @notice Moves an RWA's price or a plain stablecoin's USD value by up to 2 %.
    function movePrice(uint256 assetSeed, uint256 move) external paced {
        SystemStore.Asset memory asset = _plainAsset(assetSeed);
        uint256 price = _price(asset) * bound(move, 0.98e18, 1.02e18) / WAD;
        price = bound(price, 0.5e18, 1_000e18);
        if (asset.isRWA) {
            _adapter(asset.id).setPrice(price);
        } else {
            vm.prank(OPERATOR);
            CORE.setStablecoinUSDValue(asset.id, price);
        }
        STORE.count("movePrice", true);
    }

    /// @notice Guards a stablecoin with an oracle that is mostly within the band of 1 %, and sometimes at its edge.
    function guard(uint256 assetSeed, uint256 oracle, bool enabled) external paced {
        SystemStore.Asset memory asset = STORE.asset(assetSeed % 5);
        uint256 value = CORE.stablecoinUSDValue(asset.id);
        uint256[4] memory prices = [value, value * 101 / 100, value * 99 / 100, value * 102 / 100];
        // Outside its band, the treasury token could never be redeemed again.
        if (asset.isTreasury) oracle %= 3;
        SettablePriceAdapter adapter = new SettablePriceAdapter(prices[oracle % 4]);
        vm.prank(OPERATOR);
        CORE.configureStablecoinGuardrail(asset.id, address(adapter), 0.01e18, enabled && oracle % 8 < 5);
        STORE.count("guard", true);
    }

    /// @notice Sets rates of up to 3 % for any pair, if the scenario has fees.
    function setRates(uint256 lpSeed, uint256 assetSeed, uint256 rate, uint256 protocolRate) external paced {
        STORE.count("setRates", true);
        if (!HAS_FEES) return;
        SystemStore.Asset memory lp = STORE.asset(lpSeed % 5);
        SystemStore.Asset memory asset = _plainAsset(assetSeed);
        rate = bound(rate, 0, 0.03e18);
        vm.startPrank(lp.issuerAdmin);
        IStablecoinDelegateAdmin admin = IStablecoinDelegateAdmin(lp.delegate);
        if (asset.isRWA) {
            admin.setRWADiscountRate(asset.id, rate);
            admin.setRWARedemptionFee(asset.id, rate / 2);
        } else {
            admin.setStablecoinAcceptanceFee(asset.token, rate);
            admin.setStablecoinRedemptionFee(asset.token, rate / 2);
        }
        vm.stopPrank();
        vm.startPrank(OPERATOR);
        CORE.setIssuerPaidProtocolFeeRate(lp.id, bound(protocolRate, 0, 0.01e18));
        CORE.setProtocolFeeExempt(lp.id, protocolRate % 4 == 0);
        CORE.setSpreadProtocolTakeRate(bound(protocolRate, 0, 1e18));
        vm.stopPrank();
    }

    /// @notice Lets an LP withdraw some of its own reserve to cold storage, the only place it may go.
    function withdraw(uint256 lpSeed, uint256 userSeed, uint256 amount) external paced {
        SystemStore.Asset memory lp = STORE.asset(1 + lpSeed % 4);
        IStablecoinDelegateAdmin admin = IStablecoinDelegateAdmin(lp.delegate);
        uint256 held = IERC20(lp.token).balanceOf(lp.stablecoinCustody);
        uint256 most = 1_000 * 10 ** lp.decimals;
        amount = bound(amount, 0, held < most ? held : most);
        vm.startPrank(lp.issuerAdmin);
        admin.withdrawStablecoin(COLD_STORAGE, amount);
        _mustFail(
            lp.delegate,
            abi.encodeCall(admin.withdrawStablecoin, (_user(userSeed), amount)),
            SystemStore.Property.D26_AdministratorsTakeNothing
        );
        vm.stopPrank();
        STORE.move(lp.token, lp.stablecoinCustody, COLD_STORAGE, amount);
        STORE.count("withdraw", true);
    }

    // ------------------------------------------------------------------------------------------------ what must fail

    /// @notice Tries calls that must fail, and undoes the preparations of the attempt.
    function misuse(uint256 kind, uint256 assetSeed, uint256 userSeed, uint256 legSeed, uint256 amount) external paced {
        kind %= 4;
        if (kind == 0) _seizeCustody(assetSeed, userSeed);
        if (kind == 1) _rekind(assetSeed);
        if (kind == 2) _unaccept(assetSeed, userSeed, legSeed, amount);
        if (kind == 3) _pause(assetSeed, userSeed, legSeed, amount);
        STORE.count("misuse", true);
    }

    /// @dev Tries to name a user who approved everything as custody.
    function _seizeCustody(uint256 lpSeed, uint256 userSeed) private {
        SystemStore.Asset memory lp = STORE.asset(lpSeed % 5);
        address user = _user(userSeed);
        vm.startPrank(lp.issuerAdmin);
        _mustFail(
            lp.delegate,
            abi.encodeCall(IStablecoinDelegateAdmin.setRWACustodyAddress, (user)),
            SystemStore.Property.D26_AdministratorsTakeNothing
        );
        _mustFail(
            lp.delegate,
            abi.encodeCall(IStablecoinDelegateAdmin.setStablecoinCustodyAddress, (user)),
            SystemStore.Property.D26_AdministratorsTakeNothing
        );
        vm.stopPrank();
    }

    /// @dev Tries to give a registered ID another kind, token or yield-bearing flag.
    function _rekind(uint256 assetSeed) private {
        SystemStore.Asset memory asset = STORE.asset(assetSeed);
        address other = STORE.asset(assetSeed % STORE.assetCount() + 1).token;
        SystemStore.Property property = SystemStore.Property.S17_KindsAreForLife;
        vm.startPrank(OPERATOR);
        if (asset.isRWA) {
            _mustFail(
                address(CORE),
                abi.encodeCall(
                    CORE.setStablecoinAcceptance, (asset.id, STORE.asset(1).delegate, asset.token, true, false)
                ),
                property
            );
            _mustFail(
                address(CORE), abi.encodeCall(CORE.setRWAAcceptance, (asset.id, address(0), other, true)), property
            );
        } else {
            _mustFail(
                address(CORE),
                abi.encodeCall(CORE.setRWAAcceptance, (asset.id, address(0), asset.token, true)),
                property
            );
            _mustFail(
                address(CORE),
                abi.encodeCall(CORE.setStablecoinAcceptance, (asset.id, asset.delegate, other, true, asset.isTreasury)),
                property
            );
            _mustFail(
                address(CORE),
                abi.encodeCall(
                    CORE.setStablecoinAcceptance, (asset.id, asset.delegate, asset.token, true, !asset.isTreasury)
                ),
                property
            );
        }
        vm.stopPrank();
    }

    /// @dev Withdraws an asset's acceptance during one attempt.
    function _unaccept(uint256 assetSeed, uint256 userSeed, uint256 legSeed, uint256 amount) private {
        address user = _user(userSeed);
        ICoreSwap.SwapInputs memory leg = _drawLeg(user, legSeed, amount);
        SystemStore.Asset memory asset = STORE.assetOf(assetSeed % 2 == 0 ? leg.assetInID : leg.assetOutID);
        _setAccepted(asset, false);
        _mustNotSwap(user, leg, SystemStore.Property.S17_KindsAreForLife);
        _setAccepted(asset, true);
    }

    /// @dev Pauses CoreSwap or the delegate concerned during one attempt.
    function _pause(uint256 targetSeed, uint256 userSeed, uint256 legSeed, uint256 amount) private {
        address user = _user(userSeed);
        ICoreSwap.SwapInputs memory leg = _drawLeg(user, legSeed, amount);
        SystemStore.Asset memory lp = STORE.assetOf(leg.stablecoinDelegateID);
        bool isCore = targetSeed % 3 == 0;
        // A delegate has two causes of a pause: the administrator's and the LP's. CoreSwap's function has the same
        // name.
        address target = isCore ? address(CORE) : lp.delegate;
        address pauser = isCore ? OPERATOR : (targetSeed % 3 == 1 ? ADMIN : lp.issuerAdmin);
        vm.prank(pauser);
        IStablecoinDelegateAdmin(target).pause();
        _mustNotSwap(user, leg, SystemStore.Property.D24_PausedMovesNothing);
        if (target == address(DELEGATE)) {
            _mustFail(
                target,
                abi.encodeCall(DELEGATE.accrueInterest, (user, INFINITE, INFINITE)),
                SystemStore.Property.D24_PausedMovesNothing
            );
            DELEGATE.getYieldAmount(user, _credits(user), true);
        }
        vm.prank(pauser);
        IStablecoinDelegateAdmin(target).unpause();
    }

    function _setAccepted(SystemStore.Asset memory asset, bool accepted) private {
        vm.prank(OPERATOR);
        if (asset.isRWA) CORE.setRWAAcceptance(asset.id, address(0), asset.token, accepted);
        else CORE.setStablecoinAcceptance(asset.id, asset.delegate, asset.token, accepted, asset.isTreasury);
    }

    function _mustNotSwap(address user, ICoreSwap.SwapInputs memory leg, SystemStore.Property property) private {
        vm.prank(user);
        _mustFail(address(CORE), abi.encodeCall(CORE.swap, (user, user, _one(leg), _noPermit())), property);
    }

    function _mustFail(address target, bytes memory data, SystemStore.Property property) private {
        (bool success,) = target.call(data);
        if (success) STORE.report(property);
    }

    /// Returns any asset but the treasury token.
    function _plainAsset(uint256 seed) private view returns (SystemStore.Asset memory) {
        return STORE.asset(1 + seed % (STORE.assetCount() - 1));
    }
}
