// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SystemStore} from "../SystemStore.sol";
import {SystemHandler} from "./SystemHandler.sol";
import {TestToken} from "script/local/TestToken.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {HostileToken} from "test/mocks/HostileToken.sol";

/// @notice Moves tokens by other means than swaps: holders, the bridge, the token's operator and donors. Also sets the
/// mode of the hostile token.
contract TokenHandler is SystemHandler {
    address private immutable BRIDGE;
    address private immutable ADMIN;

    constructor(CoreSwap core, TreasuryDelegate delegate, SystemStore store, address bridge, address admin)
        SystemHandler(core, delegate, store)
    {
        (BRIDGE, ADMIN) = (bridge, admin);
    }

    /// @notice Transfers treasury tokens, sometimes by force. Credits do not move, as their ledger shows.
    function transfer(uint256 fromSeed, uint256 toSeed, uint256 amount) external paced {
        (address from, address to) = (_user(fromSeed), _user(toSeed));
        bool forced = amount % 4 == 0 && TREASURY.balanceOf(from) != 0;
        amount = bound(amount, forced ? 1 : 0, TREASURY.balanceOf(from));
        vm.prank(forced ? ADMIN : from);
        if (forced) TREASURY.forceTransfer(from, to, amount);
        else TREASURY.transfer(to, amount);
        STORE.move(address(TREASURY), from, to, amount);
        STORE.count("transfer", true);
    }

    /// @notice Moves tokens over the bridge, without credits.
    function cross(uint256 userSeed, uint256 amount, bool arrives) external paced {
        address user = _user(userSeed);
        amount = bound(amount, 1, 1e21);
        uint256 held = TREASURY.balanceOf(user);
        vm.startPrank(BRIDGE);
        if (arrives || held == 0) {
            TREASURY.bridgeMint(user, amount);
            STORE.mint(user, amount);
        } else {
            amount = amount > held ? held : amount;
            TREASURY.burnFrom(user, amount);
            STORE.burn(user, amount);
        }
        vm.stopPrank();
        STORE.count("cross", true);
    }

    /// @notice Donates any asset to a custody, a delegate, the vault or CoreSwap. No quote changes.
    function donate(uint256 assetSeed, uint256 toSeed, uint256 userSeed, uint256 legSeed, uint256 amount)
        external
        paced
    {
        SystemStore.Asset memory asset = STORE.asset(1 + assetSeed % (STORE.assetCount() - 1));
        SystemStore.Asset memory lp = STORE.asset(toSeed % 5);
        address[5] memory receivers = [lp.stablecoinCustody, lp.rwaCustody, lp.delegate, STORE.vault(), address(CORE)];
        address to = receivers[(toSeed >> 8) % 5];
        address user = _user(userSeed);
        bytes memory quote = abi.encodeCall(CORE.quoteSwap, (user, _drawLeg(user, legSeed, amount)));
        (bool couldBefore, bytes memory before) = address(CORE).staticcall(quote);

        amount = bound(amount, 1, 1_000 * 10 ** asset.decimals);
        TestToken(asset.token).mint(to, amount);
        STORE.give(asset.token, to, amount);

        (bool canNow, bytes memory later) = address(CORE).staticcall(quote);
        if (couldBefore != canNow || keccak256(before) != keccak256(later)) {
            STORE.report(SystemStore.Property.S20_DonationsChangeNothing);
        }
        STORE.count("donate", true);
    }

    function setHostileMode(uint256 mode) external paced {
        // Honest half of the time, so that some of its swaps succeed.
        STORE.hostile().setMode(HostileToken.Mode(mode % 4 > 2 ? 0 : mode % 4));
        STORE.count("setHostileMode", true);
    }
}
