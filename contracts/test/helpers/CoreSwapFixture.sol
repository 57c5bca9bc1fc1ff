// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SettablePriceAdapter} from "../mocks/SettablePriceAdapter.sol";
import {BaseTest} from "./BaseTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// @title CoreSwapFixture
/// @notice CoreSwap behind its proxy with two stablecoins, each with its own LP, and two RWAs. The custody of `usdc` is
/// an external account, that of `usdx` is its delegate. `user` holds every asset and has approved both delegates.
abstract contract CoreSwapFixture is BaseTest {
    struct LP {
        bytes32 id;
        TestToken token;
        BalanceSheetDelegate delegate;
        address custody;
        address issuerAdmin;
    }

    struct RWA {
        bytes32 id;
        TestToken token;
        SettablePriceAdapter adapter;
    }

    uint256 internal constant WAD = 1e18;
    uint256 internal constant MAX_RATE = 0.99e18;
    /// A balance, in whole tokens, that no test exhausts.
    uint256 internal constant DEEP = 1e15;

    CoreSwap internal core;
    address internal admin = makeAddr("admin");
    address internal operator = makeAddr("operator");
    address internal blacklister = makeAddr("blacklister");
    address internal pauser = makeAddr("pauser");
    address internal vault = makeAddr("vault");
    address internal receiver = makeAddr("receiver");
    address internal broker = makeAddr("broker");
    address internal stranger = makeAddr("stranger");
    address internal user;
    uint256 internal userKey;

    /// All delegates share one implementation, as in the deployment script.
    address internal delegateImplementation;
    LP internal usdc;
    LP internal usdx;
    RWA internal bill;
    RWA internal bond;

    function setUp() public virtual {
        (user, userKey) = makeAddrAndKey("user");
        _deployCore();
        usdc = _addStablecoin("USDC", 6, 1e18, makeAddr("usdc custody"));
        usdx = _addStablecoin("USDX", 18, 0.9995e18, address(0));
        bill = _addRWA("BILL", 18, 1.0437e18);
        bond = _addRWA("BOND", 6, 104.250001e18);
        _connect();
        _setDefaultRates();
    }

    function _deployCore() internal {
        bytes memory init = abi.encodeCall(CoreSwap.initialize, (admin, operator, vault));
        core = CoreSwap(address(new ERC1967Proxy(address(new CoreSwap()), init)));
        delegateImplementation = address(new BalanceSheetDelegate());
        vm.startPrank(admin);
        core.grantRole(core.BLACKLISTER_ROLE(), blacklister);
        core.grantRole(core.EXTERNAL_PAUSER_ROLE(), pauser);
        vm.stopPrank();
    }

    /// Registers a stablecoin with its own LP. A zero custody means the delegate itself.
    function _addStablecoin(string memory symbol, uint8 decimals, uint256 usdValue, address custody)
        internal
        returns (LP memory lp)
    {
        lp.id = _id(symbol);
        lp.token = new TestToken(symbol, symbol, decimals);
        lp.issuerAdmin = makeAddr(string.concat(symbol, " issuer admin"));
        lp.delegate = _deployDelegate(lp.id, address(lp.token), lp.issuerAdmin);
        lp.custody = custody == address(0) ? address(lp.delegate) : custody;

        vm.startPrank(operator);
        core.setStablecoinAcceptance(lp.id, address(lp.delegate), address(lp.token), true, false);
        core.setStablecoinUSDValue(lp.id, usdValue);
        vm.stopPrank();

        if (custody != address(0)) {
            _listCustody(address(lp.delegate), custody);
            vm.prank(custody);
            lp.delegate.acceptCustody();
        }
        vm.startPrank(lp.issuerAdmin);
        lp.delegate.setRWACustodyAddress(lp.custody);
        lp.delegate.setStablecoinCustodyAddress(lp.custody);
        vm.stopPrank();
    }

    function _deployDelegate(bytes32 id, address token, address issuerAdmin)
        internal
        returns (BalanceSheetDelegate delegate)
    {
        bytes memory init =
            abi.encodeCall(BalanceSheetDelegate.initialize, (admin, issuerAdmin, address(core), id, token));
        return BalanceSheetDelegate(address(new ERC1967Proxy(delegateImplementation, init)));
    }

    function _addRWA(string memory symbol, uint8 decimals, uint256 price) internal returns (RWA memory rwa) {
        rwa.id = _id(symbol);
        rwa.token = new TestToken(symbol, symbol, decimals);
        rwa.adapter = new SettablePriceAdapter(price);
        vm.startPrank(operator);
        core.setRWAAcceptance(rwa.id, address(0), address(rwa.token), true);
        core.setRwaPriceAdapter(rwa.id, address(rwa.adapter));
        vm.stopPrank();
    }

    /// Lets both LPs deal in every asset, funds the user and the custodies, and sets the approvals.
    function _connect() internal {
        _list(usdc, usdx);
        _list(usdx, usdc);
        TestToken[4] memory tokens = [usdc.token, usdx.token, bill.token, bond.token];
        for (uint256 i = 0; i < tokens.length; ++i) {
            uint256 amount = DEEP * 10 ** tokens[i].decimals();
            tokens[i].mint(usdc.custody, amount);
            tokens[i].mint(usdx.custody, amount);
            tokens[i].mint(user, amount);
            _approve(user, tokens[i]);
            vm.prank(usdc.custody);
            tokens[i].approve(address(usdc.delegate), type(uint256).max);
        }
    }

    function _list(LP memory lp, LP memory foreign) private {
        TestToken[3] memory tokens = [bill.token, bond.token, foreign.token];
        for (uint256 i = 0; i < tokens.length; ++i) {
            _uncap(address(lp.delegate), address(tokens[i]));
        }
        vm.startPrank(lp.issuerAdmin);
        lp.delegate.whitelistRWA(address(bill.token), true);
        lp.delegate.whitelistRWA(address(bond.token), true);
        lp.delegate.whitelistStablecoin(address(foreign.token), true);
        vm.stopPrank();
    }

    /// Lists an account, so that it can be named as custody of both kinds.
    function _listCustody(address delegate, address account) internal {
        vm.prank(admin);
        IStablecoinDelegateAdmin(delegate).setCustodyListing(account, true, true);
    }

    /// Removes the intake cap of a foreign asset.
    function _uncap(address delegate, address asset) internal {
        _setIntakeCap(delegate, asset, type(uint96).max);
    }

    function _setIntakeCap(address delegate, address asset, uint96 cap) internal {
        vm.prank(admin);
        IStablecoinDelegateAdmin(delegate).setIntakeCap(asset, cap);
    }

    function _approve(address owner, TestToken token) internal {
        vm.startPrank(owner);
        token.approve(address(usdc.delegate), type(uint256).max);
        token.approve(address(usdx.delegate), type(uint256).max);
        vm.stopPrank();
    }

    /// Every rate differs, so that no test passes by reading the wrong one.
    function _setDefaultRates() internal {
        _setProtocolRates(0.0007e18, 0.0003e18, 0.2e18);
        _setRates(usdc, usdx, [uint256(0.0011e18), 0.0013e18, 0.0017e18, 0.0019e18, 0.0023e18, 0.0029e18]);
        _setRates(usdx, usdc, [uint256(0.0031e18), 0.0037e18, 0.0041e18, 0.0043e18, 0.0047e18, 0.0053e18]);
    }

    function _setProtocolRates(uint256 usdcIssuerRate, uint256 usdxIssuerRate, uint256 takeRate) internal {
        vm.startPrank(operator);
        core.setIssuerPaidProtocolFeeRate(usdc.id, usdcIssuerRate);
        core.setIssuerPaidProtocolFeeRate(usdx.id, usdxIssuerRate);
        core.setSpreadProtocolTakeRate(takeRate);
        vm.stopPrank();
    }

    /// Sets discount and redemption rates of `bill` and `bond`, then acceptance and redemption rates of the foreign
    /// stablecoin.
    function _setRates(LP memory lp, LP memory foreign, uint256[6] memory rates) internal {
        vm.startPrank(lp.issuerAdmin);
        lp.delegate.setRWADiscountRate(bill.id, rates[0]);
        lp.delegate.setRWARedemptionFee(bill.id, rates[1]);
        lp.delegate.setRWADiscountRate(bond.id, rates[2]);
        lp.delegate.setRWARedemptionFee(bond.id, rates[3]);
        lp.delegate.setStablecoinAcceptanceFee(address(foreign.token), rates[4]);
        lp.delegate.setStablecoinRedemptionFee(address(foreign.token), rates[5]);
        vm.stopPrank();
    }

    /// Returns a leg of the given route between the assets of this fixture, with the amount on the exact side and no
    /// bound. Stablecoin legs take `usdx` in. With `settledByIn`, its LP settles instead of that of `usdc`.
    function _leg(uint256 routeId, uint256 amount, bool settledByIn)
        internal
        view
        returns (ICoreSwap.SwapInputs memory leg)
    {
        (bool isRWAIn, bool isRWAOut) = _kinds(routeId);
        leg.routeId = routeId;
        leg.stablecoinDelegateID = routeId >= 7 && settledByIn ? usdx.id : usdc.id;
        leg.assetInID = isRWAIn ? bill.id : (isRWAOut ? usdc.id : usdx.id);
        leg.assetOutID = isRWAOut ? bond.id : usdc.id;
        if (routeId % 2 == 1) leg.assetInAmt = amount;
        else (leg.assetInAmt, leg.assetOutAmt) = (type(uint256).max, amount);
    }

    function _swap(ICoreSwap.SwapInputs memory leg) internal {
        vm.prank(user);
        core.swap(user, receiver, _one(leg), _noPermit());
    }

    function _one(ICoreSwap.SwapInputs memory leg) internal pure returns (ICoreSwap.SwapInputs[] memory legs) {
        legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = leg;
    }

    function _noPermit() internal pure returns (ICoreSwap.ApprovalPermit memory permit) {
        return ICoreSwap.ApprovalPermit({deadline: 0, signature: ""});
    }

    function _kinds(uint256 routeId) internal pure returns (bool isRWAIn, bool isRWAOut) {
        isRWAIn = routeId == 1 || routeId == 2 || routeId == 5 || routeId == 6;
        isRWAOut = routeId >= 3 && routeId <= 6;
    }

    function _inputError(uint256 routeId) internal pure returns (bytes4 selector) {
        (bool isRWAIn,) = _kinds(routeId);
        return isRWAIn ? ICoreSwap.InsufficientRWAInput.selector : ICoreSwap.InsufficientStablecoinInput.selector;
    }

    function _outputError(uint256 routeId) internal pure returns (bytes4 selector) {
        (, bool isRWAOut) = _kinds(routeId);
        return isRWAOut ? ICoreSwap.InsufficientRWAOutput.selector : ICoreSwap.InsufficientStablecoinOutput.selector;
    }

    function _adapterOf(bytes32 rwaID) internal view returns (SettablePriceAdapter adapter) {
        return SettablePriceAdapter(core.rwaPriceAdapters(rwaID));
    }

    function _tokenOf(bytes32 id) internal view returns (TestToken token) {
        if (id == usdc.id) return usdc.token;
        if (id == usdx.id) return usdx.token;
        if (id == bill.id) return bill.token;
        assertEq(id, bond.id, "unknown asset");
        return bond.token;
    }

    function _lpOf(bytes32 id) internal view returns (LP memory lp) {
        return id == usdc.id ? usdc : usdx;
    }

    function _id(string memory symbol) internal pure returns (bytes32 id) {
        return keccak256(bytes(symbol));
    }
}
