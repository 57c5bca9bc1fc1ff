// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {HostileToken} from "../../mocks/HostileToken.sol";
import {OwnedWallet} from "../../mocks/OwnedWallet.sol";
import {SettablePriceAdapter} from "../../mocks/SettablePriceAdapter.sol";
import {SystemStore} from "./SystemStore.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @title SystemFixture
/// @notice The whole system with all participants: the treasury's LP and four LPs of plain stablecoins, stablecoins and
/// RWAs of 0, 6, 8 and 18 decimals, a hostile RWA, five EOAs with keys, two wallets of one owner, and one account on
/// every blacklist. Every user has approved every delegate for every token.
abstract contract SystemFixture is TreasuryDelegateFixture {
    SystemStore internal store;
    HostileToken internal hostile;
    LP[4] internal lps;
    RWA[5] internal rwas;
    address internal listed = makeAddr("on every blacklist");
    address internal bridge = makeAddr("bridge");
    address internal coldStorage = makeAddr("cold storage");
    address internal otherVault = makeAddr("other vault");
    address[2] internal otherCustodies = [makeAddr("second custody"), makeAddr("third custody")];
    /// Sometimes replaces the delegate of the last LP.
    BalanceSheetDelegate internal otherDelegate;

    function setUp() public virtual override {
        super.setUp();
        _addAssets();
        store = new SystemStore();
        store.setParties(vault, hostile);
        _registerAssets();
        for (uint256 i = 0; i < lps.length; ++i) {
            _openLP(IStablecoinDelegateAdmin(address(lps[i].delegate)), lps[i].issuerAdmin, lps[i].id);
            if (lps[i].custody == address(lps[i].delegate)) _fund(lps[i].custody);
            else _openAccount(lps[i].custody);
        }
        _openLP(IStablecoinDelegateAdmin(address(otherDelegate)), lps[3].issuerAdmin, lps[3].id);
        _fund(address(otherDelegate));
        _openLP(IStablecoinDelegateAdmin(address(delegate)), issuer, trsy);
        _openAccount(otherCustodies[0]);
        _openAccount(otherCustodies[1]);
        _openAccount(rwaCustody);
        _openAccount(stablecoinCustody);
        address[6] memory others = [vault, otherVault, bridge, coldStorage, broker, address(core)];
        for (uint256 i = 0; i < others.length; ++i) {
            _setHoldings(others[i], 0);
        }
        _setHoldings(address(delegate), 0);
        _addUsers();
        _arm();
    }

    function _addAssets() private {
        hostile = new HostileToken("HOST", 18);
        rwas[0] = bill;
        rwas[1] = bond;
        rwas[2] = _addRWA("ACRE", 0, 250.5e18);
        rwas[3] = _addRWA("GOLD", 8, 61.37e18);
        rwas[4] = RWA({id: _id("HOST"), token: hostile, adapter: new SettablePriceAdapter(10e18)});
        vm.startPrank(operator);
        core.setRWAAcceptance(rwas[4].id, address(0), address(hostile), true);
        core.setRwaPriceAdapter(rwas[4].id, address(rwas[4].adapter));
        vm.stopPrank();
        lps[0] = usdc;
        lps[1] = usdx;
        lps[2] = _addStablecoin("COIN", 0, WAD, address(0));
        lps[3] = _addStablecoin("MARK", 8, 1.08e18, address(0));
        otherDelegate = _deployDelegate(lps[3].id, address(lps[3].token), lps[3].issuerAdmin);
        vm.startPrank(lps[3].issuerAdmin);
        otherDelegate.setRWACustodyAddress(address(otherDelegate));
        otherDelegate.setStablecoinCustodyAddress(address(otherDelegate));
        vm.stopPrank();
        vm.prank(admin);
        treasury.addToWhitelist(otherVault);
    }

    function _registerAssets() private {
        store.addAsset(
            SystemStore.Asset(
                trsy, address(treasury), 18, false, true, address(delegate), rwaCustody, stablecoinCustody, issuer
            )
        );
        for (uint256 i = 0; i < lps.length; ++i) {
            LP memory lp = lps[i];
            store.addAsset(
                SystemStore.Asset({
                    id: lp.id,
                    token: address(lp.token),
                    decimals: lp.token.decimals(),
                    isRWA: false,
                    isTreasury: false,
                    delegate: address(lp.delegate),
                    rwaCustody: lp.custody,
                    stablecoinCustody: lp.custody,
                    issuerAdmin: lp.issuerAdmin
                })
            );
        }
        for (uint256 i = 0; i < rwas.length; ++i) {
            RWA memory rwa = rwas[i];
            store.addAsset(
                SystemStore.Asset({
                    id: rwa.id,
                    token: address(rwa.token),
                    decimals: rwa.token.decimals(),
                    isRWA: true,
                    isTreasury: false,
                    delegate: address(0),
                    rwaCustody: address(0),
                    stablecoinCustody: address(0),
                    issuerAdmin: address(0)
                })
            );
        }
    }

    /// Lets an LP deal in every asset.
    function _openLP(IStablecoinDelegateAdmin lp, address issuerAdmin, bytes32 id) private {
        for (uint256 i = 0; i < rwas.length; ++i) {
            _uncap(address(lp), address(rwas[i].token));
        }
        for (uint256 i = 0; i < lps.length; ++i) {
            _uncap(address(lp), address(lps[i].token));
        }
        vm.startPrank(issuerAdmin);
        for (uint256 i = 0; i < rwas.length; ++i) {
            lp.whitelistRWA(address(rwas[i].token), true);
        }
        for (uint256 i = 0; i < lps.length; ++i) {
            if (lps[i].id != id) lp.whitelistStablecoin(address(lps[i].token), true);
        }
        lp.setBlacklist(listed, true);
        vm.stopPrank();
        for (uint256 i = 0; i < otherCustodies.length; ++i) {
            _listCustody(address(lp), otherCustodies[i]);
            vm.prank(otherCustodies[i]);
            lp.acceptCustody();
        }
        vm.prank(admin);
        lp.addStablecoinColdStorageAddress(coldStorage);
    }

    function _addUsers() private {
        OwnedWallet wallet = new OwnedWallet(user);
        OwnedWallet twin = new OwnedWallet(user);
        _addUser(address(wallet), userKey);
        _addUser(address(twin), userKey);
        string[5] memory names = ["first", "second", "third", "fourth", "fifth"];
        for (uint256 i = 0; i < names.length; ++i) {
            (address account, uint256 key) = makeAddrAndKey(names[i]);
            _addUser(account, key);
        }
        _openAccount(listed);
        vm.startPrank(admin);
        treasury.addToWhitelist(listed);
        treasury.addToBlacklist(listed);
        treasury.addBridge(bridge);
        vm.stopPrank();
        vm.prank(blacklister);
        core.setBlacklisted(listed, true);
    }

    function _addUser(address account, uint256 key) private {
        _openAccount(account);
        store.addUser(account, key);
        vm.prank(account);
        treasury.approve(bridge, ALL);
        vm.prank(admin);
        treasury.addToWhitelist(account);
    }

    /// Funds an account with every asset, and approves every delegate for all of it.
    function _openAccount(address account) private {
        _fund(account);
        vm.startPrank(account);
        for (uint256 i = 0; i < store.assetCount(); ++i) {
            TestToken token = TestToken(store.asset(i).token);
            token.approve(address(delegate), ALL);
            for (uint256 k = 0; k < lps.length; ++k) {
                token.approve(address(lps[k].delegate), ALL);
            }
            token.approve(address(otherDelegate), ALL);
        }
        vm.stopPrank();
    }

    function _fund(address account) private {
        _setHoldings(account, DEEP);
    }

    /// Replaces the balances that the base fixtures gave an account with a known number of whole tokens of each asset.
    function _setHoldings(address account, uint256 wholeTokens) private {
        for (uint256 i = 1; i < store.assetCount(); ++i) {
            SystemStore.Asset memory asset = store.asset(i);
            deal(asset.token, account, wholeTokens * 10 ** asset.decimals, true);
        }
        store.addAccount(account, wholeTokens);
    }

    /// Prepares the call that the hostile token tries: its own swap, for which it has tokens and approvals.
    function _arm() private {
        bill.token.mint(address(hostile), DEEP * 1e18);
        vm.prank(address(hostile));
        bill.token.approve(address(usdx.delegate), ALL);
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(1, bill.id, usdx.id, usdx.id, 1e18, 0);
        hostile.setCall(
            address(core), abi.encodeCall(core.swap, (address(hostile), coldStorage, _one(leg), _noPermit()))
        );
    }
}
