// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AutoLiquidityFixture} from "../helpers/AutoLiquidityFixture.sol";
import {SolvencyHandler} from "./handlers/SolvencyHandler.sol";
import {StdInvariant} from "forge-std/StdInvariant.sol";
// solhint-disable-next-line no-console
import {console} from "forge-std/console.sol";
import {TestToken} from "script/local/TestToken.sol";

/// @notice While custody is honest, prices do not change and no yield is paid, the backing of the treasury token is
/// worth at least its supply, in assets of 0, 6, 8 and 18 decimals at uneven prices. At the beginning both are equal.
/// forge-config: ci.invariant.runs = 64
contract SolvencyInvariantsTest is StdInvariant, AutoLiquidityFixture {
    string[9] private _calls =
        ["deposit", "redeem", "exchange", "swapAtPlainLP", "transfer", "recover", "pass", "setRates", "changeCustody"];
    SolvencyHandler private _handler;
    address[] private _custodies =
        [rwaCustody, stablecoinCustody, makeAddr("third custody"), makeAddr("fourth custody")];

    function setUp() public override {
        super.setUp();
        LP memory coin = _addStablecoin("COIN", 0, 1.01e18, address(0));
        LP memory mark = _addStablecoin("MARK", 8, 1.080003e18, address(0));
        RWA memory acre = _addRWA("ACRE", 0, 250.53e18);
        RWA memory gold = _addRWA("GOLD", 8, 61.370000000000000001e18);
        SolvencyHandler.Asset[] memory assets = new SolvencyHandler.Asset[](9);
        assets[0] = SolvencyHandler.Asset(cash.id, address(cash.token), 18, false, WAD);
        assets[1] = SolvencyHandler.Asset(usdc.id, address(usdc.token), 6, false, WAD);
        assets[2] = SolvencyHandler.Asset(usdx.id, address(usdx.token), 18, false, 0.9995e18);
        assets[3] = SolvencyHandler.Asset(coin.id, address(coin.token), 0, false, 1.01e18);
        assets[4] = SolvencyHandler.Asset(mark.id, address(mark.token), 8, false, 1.080003e18);
        assets[5] = SolvencyHandler.Asset(bill.id, address(bill.token), 18, true, 1.0437e18);
        assets[6] = SolvencyHandler.Asset(bond.id, address(bond.token), 6, true, 104.250001e18);
        assets[7] = SolvencyHandler.Asset(acre.id, address(acre.token), 0, true, 250.53e18);
        assets[8] = SolvencyHandler.Asset(gold.id, address(gold.token), 8, true, 61.370000000000000001e18);
        address[] memory users = new address[](4);
        (users[0], users[1], users[2], users[3]) = (user, alice, bob, carol);
        for (uint256 i = 0; i < assets.length; ++i) {
            _deal(assets[i], users);
        }
        deal(address(note.token), rwaCustody, 0);
        // The backing is mostly the stablecoin that derived legs redeem. The fraction below its unit is in a stablecoin
        // of 18 decimals.
        deal(address(usdc.token), stablecoinCustody, treasury.totalSupply() / 1e12);
        deal(address(cash.token), stablecoinCustody, treasury.totalSupply() % 1e12);
        _handler = new SolvencyHandler(
            delegate,
            SolvencyHandler.PlainLP({id: usdc.id, decimals: 6}),
            SolvencyHandler.Party({operator: operator, admin: admin, issuer: issuer, poster: poster}),
            assets,
            users,
            _custodies
        );
        targetContract(address(_handler));
        assertEq(_handler.custodyValue(), treasury.totalSupply() * WAD, "no more than the supply in the beginning");
        for (uint256 i = 0; i < users.length; ++i) {
            _handler.deposit(i, i, 0, 1e22 + i, false);
        }
    }

    /// Lets the treasury's LP deal in an asset, of which its custodies hold nothing, and funds the users.
    function _deal(SolvencyHandler.Asset memory asset, address[] memory users) private {
        TestToken token = TestToken(asset.token);
        _uncap(address(delegate), asset.token);
        vm.startPrank(issuer);
        if (asset.isRWA) delegate.whitelistRWA(asset.token, true);
        else delegate.whitelistStablecoin(asset.token, true);
        vm.stopPrank();
        _uncap(address(usdc.delegate), asset.token);
        vm.prank(usdc.issuerAdmin);
        if (asset.isRWA) usdc.delegate.whitelistRWA(asset.token, true);
        token.mint(usdc.custody, asset.token == address(usdc.token) ? 0 : DEEP * 10 ** asset.decimals);
        vm.prank(usdc.custody);
        token.approve(address(usdc.delegate), ALL);
        for (uint256 i = 0; i < users.length; ++i) {
            token.mint(users[i], DEEP * 10 ** asset.decimals);
            vm.startPrank(users[i]);
            token.approve(address(delegate), ALL);
            token.approve(address(usdc.delegate), ALL);
            vm.stopPrank();
        }
        for (uint256 i = 0; i < _custodies.length; ++i) {
            _listCustody(address(delegate), _custodies[i]);
            deal(asset.token, _custodies[i], 0);
            vm.startPrank(_custodies[i]);
            delegate.acceptCustody();
            token.approve(address(delegate), ALL);
            vm.stopPrank();
        }
    }

    function invariant_D32_ValueInCustodyIsAtLeastTheSupply() public view {
        assertGe(_handler.custodyValue(), treasury.totalSupply() * WAD);
    }

    /// @dev At least two thirds of all calls succeed. `-vv` shows the calls of the last sequence.
    function afterInvariant() public view {
        (uint256 calls, uint256 successes) = (0, 0);
        for (uint256 i = 0; i < _calls.length; ++i) {
            (uint256 each, uint256 succeeded) = _handler.statistics(_calls[i]);
            // solhint-disable-next-line no-console
            console.log("%s: %d calls, %d failed", _calls[i], each, each - succeeded);
            (calls, successes) = (calls + each, successes + succeeded);
        }
        (uint256 derived,) = _handler.statistics("derived");
        // solhint-disable-next-line no-console
        console.log("derived legs: %d", derived);
        uint256 drawn = _handler.calls();
        if (drawn < 50) return;
        assertGe(successes * 3, calls * 2, "more than a third of the calls failed");
        (, uint256 redemptions) = _handler.statistics("redeem");
        assertGe(redemptions * 5, drawn, "redemptions");
        (, uint256 steps) = _handler.statistics("pass");
        assertGe(steps * 5, drawn, "time steps");
    }

    /// Every call succeeds, and most of them do; derived legs run.
    function test_Handler_ReachesEveryCall() public {
        uint256[5] memory d;
        for (uint256 i = 0; i < 200; ++i) {
            for (uint256 k = 0; k < d.length; ++k) {
                d[k] = uint256(keccak256(abi.encode(i, k)));
            }
            _call(i % _calls.length, d);
            invariant_D32_ValueInCustodyIsAtLeastTheSupply();
        }
        for (uint256 i = 0; i < _calls.length; ++i) {
            (uint256 calls, uint256 successes) = _handler.statistics(_calls[i]);
            assertGt(successes * 3, calls * 2, _calls[i]);
        }
        (uint256 derived,) = _handler.statistics("derived");
        assertGt(derived, 10, "derived legs");
    }

    function _call(uint256 index, uint256[5] memory d) private {
        if (index == 0) _handler.deposit(d[0], d[1], d[2], d[3], d[4] % 2 == 0);
        if (index == 1) _handler.redeem(d[0], d[1], d[2], d[3], d[4] % 2 == 0);
        if (index == 2) _handler.exchange(d[0], d[1], d[2], d[3]);
        if (index == 3) _handler.swapAtPlainLP(d[0], d[1], d[2], d[3] % 2 == 0);
        if (index == 4) _handler.transfer(d[0], d[1], d[2]);
        if (index == 5) _handler.recover(d[0], d[1], d[2], d[3] % 2 == 0);
        if (index == 6) _handler.pass(d[0], d[1]);
        if (index == 7) _handler.setRates(d[0], d[1], d[2]);
        if (index == 8) _handler.changeCustody(d[0], d[1] % 2 == 0);
    }
}
