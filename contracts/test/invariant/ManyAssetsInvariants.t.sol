// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "../helpers/TreasuryDelegateFixture.sol";
import {ManyAssetsHandler} from "./handlers/ManyAssetsHandler.sol";
import {StdInvariant} from "forge-std/StdInvariant.sol";
// solhint-disable-next-line no-console
import {console} from "forge-std/console.sol";
import {TestToken} from "script/local/TestToken.sol";

/// @notice With 40 assets and up to 30 late days, deposits by others for an account neither block nor delay the
/// account's own deposits.
/// forge-config: ci.invariant.runs = 32
contract ManyAssetsInvariantsTest is StdInvariant, TreasuryDelegateFixture {
    uint256 private constant ASSETS = 40;
    ManyAssetsHandler private _handler;

    function setUp() public override {
        super.setUp();
        ManyAssetsHandler.Asset[] memory assets = new ManyAssetsHandler.Asset[](ASSETS);
        assets[0] = ManyAssetsHandler.Asset(cash.id, false);
        for (uint256 i = 1; i < ASSETS; ++i) {
            string memory symbol = string.concat("A", vm.toString(i));
            bool isRWA = i % 2 == 1;
            bytes32 id;
            TestToken token;
            if (isRWA) {
                RWA memory rwa = _addRWA(symbol, 18, WAD);
                (id, token) = (rwa.id, rwa.token);
            } else {
                LP memory lp = _addStablecoin(symbol, 18, WAD, address(0));
                (id, token) = (lp.id, lp.token);
            }
            assets[i] = ManyAssetsHandler.Asset(id, isRWA);
            _dealIn(token, isRWA);
        }
        _handler = new ManyAssetsHandler(delegate, assets, [alice, bob], carol, poster);
        targetContract(address(_handler));
    }

    /// Lets the treasury's LP take in an asset, and funds every account with it.
    function _dealIn(TestToken token, bool isRWA) private {
        _uncap(address(delegate), address(token));
        vm.startPrank(issuer);
        if (isRWA) delegate.whitelistRWA(address(token), true);
        else delegate.whitelistStablecoin(address(token), true);
        vm.stopPrank();
        address[3] memory depositors = [alice, bob, carol];
        for (uint256 i = 0; i < depositors.length; ++i) {
            token.mint(depositors[i], DEEP * 1e18);
            vm.prank(depositors[i]);
            token.approve(address(delegate), ALL);
        }
    }

    function invariant_D31_OthersNeitherRefuseNorDelayAnOwnDeposit() public view {
        assertEq(_handler.refusedOwn(), 0, "refused");
        assertEq(_handler.delayedOwn(), 0, "delayed");
        assertEq(_handler.refusedOthers(), 0, "others' refused");
        assertLe(_handler.longestQueue(), 64);
    }

    function afterInvariant() public view {
        // solhint-disable-next-line no-console
        console.log("longest queue: %d, most late days: %d", _handler.longestQueue(), _handler.mostLateDays());
    }

    /// Runs forty days with an own deposit every other day and dust of all assets. Rates get as late as allowed.
    function test_Handler_ReachesEveryCall() public {
        for (uint256 day = 0; day < 40; ++day) {
            for (uint256 k = 0; k < 5; ++k) {
                _handler.depositByStranger(day, 8 * k, 8);
            }
            _handler.depositOwn(day / 2, day, 1e20);
            _handler.pass(24 hours, 0.05e18);
        }
        _handler.redeem(0, 1e18);
        _handler.post(0.05e18, 1);
        invariant_D31_OthersNeitherRefuseNorDelayAnOwnDeposit();
        bytes4[5] memory calls = [
            _handler.depositByStranger.selector,
            _handler.depositOwn.selector,
            _handler.redeem.selector,
            _handler.pass.selector,
            _handler.post.selector
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            assertGt(_handler.successes(calls[i]), 0);
        }
        assertGt(_handler.mostLateDays(), 29, "as late as it may be");
        assertGt(_handler.longestQueue(), 15, "and nothing merged meanwhile");
    }
}
