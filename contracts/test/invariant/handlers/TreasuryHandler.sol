// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {CommonBase} from "forge-std/Base.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {Vm} from "forge-std/Vm.sol";
import {Treasury} from "src/Treasury.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// @notice Makes random calls to the token from every kind of account, and keeps two ledgers: one of the expected
/// effects of successful calls, and one of the logs. A single call that breaks a property is counted in `violations`
/// under that property.
contract TreasuryHandler is CommonBase, StdCheats, StdUtils {
    enum Property {
        BridgeEvents,
        PausedMovesNothing,
        BlacklistedMovesNothing
    }

    Treasury public immutable TREASURY;
    address[] public actors;
    mapping(address actor => uint256) private keys;

    uint256 public mintedByCalls;
    uint256 public bridgeMintedByCalls;
    uint256 public burnedByCalls;
    uint256 public forceBurnedByCalls;
    uint256 public mintedByLogs;
    uint256 public burnedByLogs;
    mapping(address account => uint256) public balanceByLogs;
    mapping(address owner => mapping(address spender => uint256)) public expectedAllowances;
    mapping(Property property => uint256) public violations;
    mapping(bytes4 selector => uint256) public successes;

    /// @dev The handler holds every role, so that calls succeed. Unit tests cover the limits of roles.
    constructor(Treasury treasury) {
        TREASURY = treasury;
        string[7] memory names = ["alice", "bob", "carol", "dave", "erin", "bridge", "frozen"];
        for (uint256 i; i < names.length; ++i) {
            (address actor, uint256 key) = makeAddrAndKey(names[i]);
            actors.push(actor);
            keys[actor] = key;
        }
    }

    /// @notice Starts using the roles, which the token's admin has granted before.
    function start() external {
        TREASURY.addBridge(address(this));
        TREASURY.addBridge(actors[5]);
        TREASURY.addToBlacklist(actors[6]);
        for (uint256 i; i < actors.length; ++i) {
            TREASURY.addToWhitelist(actors[i]);
        }
    }

    function mint(uint256 toSeed, uint256 amount) external {
        amount = _bridgeableAmount(amount);
        if (_call(address(this), abi.encodeCall(ITreasury.mint, (_actor(toSeed), amount)), false)) {
            mintedByCalls += amount;
        }
    }

    function bridgeMint(uint256 toSeed, uint256 amount) external {
        amount = _bridgeableAmount(amount);
        if (_call(address(this), abi.encodeCall(ITreasury.bridgeMint, (_actor(toSeed), amount)), false)) {
            bridgeMintedByCalls += amount;
        }
    }

    function burn(uint256 fromSeed, uint256 amount) external {
        address from = _actor(fromSeed);
        amount = _amount(from, amount);
        if (_call(from, abi.encodeCall(ITreasury.burn, (amount)), false)) burnedByCalls += amount;
    }

    function burnFrom(uint256 fromSeed, uint256 spenderSeed, uint256 amount) external {
        (address from, address spender) = (_actor(fromSeed), _actor(spenderSeed));
        amount = _amount(from, amount);
        if (_call(spender, abi.encodeCall(ITreasury.burnFrom, (from, amount)), false)) {
            burnedByCalls += amount;
            _spend(from, spender, amount);
        }
    }

    function transfer(uint256 fromSeed, uint256 toSeed, uint256 amount) external {
        address from = _actor(fromSeed);
        _call(from, abi.encodeCall(IERC20.transfer, (_actor(toSeed), _amount(from, amount))), false);
    }

    function transferFrom(uint256 fromSeed, uint256 toSeed, uint256 spenderSeed, uint256 amount) external {
        (address from, address spender) = (_actor(fromSeed), _actor(spenderSeed));
        amount = _amount(from, amount);
        if (_call(spender, abi.encodeCall(IERC20.transferFrom, (from, _actor(toSeed), amount)), false)) {
            _spend(from, spender, amount);
        }
    }

    function approve(uint256 ownerSeed, uint256 spenderSeed, uint256 value, bool isInfinite) external {
        (address owner, address spender) = (_actor(ownerSeed), _actor(spenderSeed));
        if (isInfinite) value = type(uint256).max;
        if (_call(owner, abi.encodeCall(IERC20.approve, (spender, value)), false)) {
            expectedAllowances[owner][spender] = value;
        }
    }

    function permit(uint256 ownerSeed, uint256 spenderSeed, uint256 value) external {
        (address owner, address spender) = (_actor(ownerSeed), _actor(spenderSeed));
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash =
            keccak256(abi.encode(typeHash, owner, spender, value, TREASURY.nonces(owner), block.timestamp));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", TREASURY.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[owner], digest);
        bytes memory data = abi.encodeCall(IERC20Permit.permit, (owner, spender, value, block.timestamp, v, r, s));
        if (_call(address(this), data, false)) expectedAllowances[owner][spender] = value;
    }

    function forceBurn(uint256 fromSeed, uint256 amount) external {
        address from = _actor(fromSeed);
        amount = _amount(from, amount);
        if (_call(address(this), abi.encodeCall(ITreasury.forceBurn, (from, amount)), true)) {
            forceBurnedByCalls += amount;
        }
    }

    function forceTransfer(uint256 fromSeed, uint256 toSeed, uint256 amount) external {
        address from = _actor(fromSeed);
        bytes memory data = abi.encodeCall(ITreasury.forceTransfer, (from, _actor(toSeed), _amount(from, amount)));
        _call(address(this), data, true);
    }

    /// @dev Rarely pauses, and unpauses at once, because little happens during a long pause.
    function togglePause(uint256 seed) external {
        if (TREASURY.paused()) TREASURY.unpause();
        else if (seed % 4 == 0) TREASURY.pause();
    }

    function toggleBlacklist(uint256 seed) external {
        address actor = _actor(seed);
        if (TREASURY.blacklisted(actor)) TREASURY.removeFromBlacklist(actor);
        else if (seed % 3 == 0) TREASURY.addToBlacklist(actor);
    }

    function actorCount() external view returns (uint256) {
        return actors.length;
    }

    /// @dev Calls the token as `caller`, follows the logs, and counts violations by a call that is not forced.
    function _call(address caller, bytes memory data, bool forced) private returns (bool success) {
        bool wasPaused = TREASURY.paused();
        bool wasCallerBlacklisted = TREASURY.blacklisted(caller);
        uint256 supplyBefore = TREASURY.totalSupply();
        uint256[] memory balancesBefore = new uint256[](actors.length);
        for (uint256 i; i < actors.length; ++i) {
            balancesBefore[i] = TREASURY.balanceOf(actors[i]);
        }

        vm.recordLogs();
        vm.prank(caller);
        (success,) = address(TREASURY).call(data);
        // The recording also has the logs of a reverted call, which never took effect.
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (success) {
            // forge-lint: disable-next-line(unsafe-typecast)
            bytes4 selector = bytes4(data);
            ++successes[selector];
            _followLogs(logs, caller, selector);
        }

        if (forced) return success;
        bool moved = TREASURY.totalSupply() != supplyBefore;
        for (uint256 i; i < actors.length; ++i) {
            bool changed = TREASURY.balanceOf(actors[i]) != balancesBefore[i];
            if (changed && TREASURY.blacklisted(actors[i])) ++violations[Property.BlacklistedMovesNothing];
            moved = moved || changed;
        }
        if (moved && wasPaused) ++violations[Property.PausedMovesNothing];
        if (moved && wasCallerBlacklisted) ++violations[Property.BlacklistedMovesNothing];
    }

    function _followLogs(Vm.Log[] memory logs, address caller, bytes4 selector) private {
        bool isBridge = TREASURY.hasRole(TREASURY.BRIDGE_ROLE(), caller);
        bool isBridgeCall = selector == ITreasury.bridgeMint.selector || selector == ITreasury.burnFrom.selector;
        uint256 bridgeEvents;
        for (uint256 i; i < logs.length; ++i) {
            bytes32 topic = logs[i].topics[0];
            if (topic == IERC20.Transfer.selector) {
                _followTransfer(_account(logs[i], 1), _account(logs[i], 2), abi.decode(logs[i].data, (uint256)));
            } else if (topic == ITreasury.BridgeMint.selector || topic == ITreasury.BridgeBurn.selector) {
                ++bridgeEvents;
                bool isMint = topic == ITreasury.BridgeMint.selector;
                // The next log must be the Transfer of the same party and amount, from or to the zero address.
                bool paired = i + 1 < logs.length && logs[i + 1].topics[0] == IERC20.Transfer.selector
                    && _account(logs[i], 1) == caller && _account(logs[i + 1], isMint ? 1 : 2) == address(0)
                    && _account(logs[i + 1], isMint ? 2 : 1) == _account(logs[i], 2)
                    && keccak256(logs[i].data) == keccak256(logs[i + 1].data);
                if (!paired || !isBridge) ++violations[Property.BridgeEvents];
            }
        }
        if (bridgeEvents != (isBridge && isBridgeCall ? 1 : 0)) ++violations[Property.BridgeEvents];
    }

    function _followTransfer(address from, address to, uint256 amount) private {
        if (from == address(0)) mintedByLogs += amount;
        else balanceByLogs[from] -= amount;
        if (to == address(0)) burnedByLogs += amount;
        else balanceByLogs[to] += amount;
    }

    function _spend(address owner, address spender, uint256 amount) private {
        if (expectedAllowances[owner][spender] != type(uint256).max) expectedAllowances[owner][spender] -= amount;
    }

    function _account(Vm.Log memory log, uint256 topic) private pure returns (address) {
        return address(uint160(uint256(log.topics[topic])));
    }

    function _actor(uint256 seed) private view returns (address) {
        return actors[seed % actors.length];
    }

    /// @dev Returns an amount that is mostly within the balance of `from`, and sometimes one above it.
    function _amount(address from, uint256 seed) private view returns (uint256) {
        return bound(seed, 0, TREASURY.balanceOf(from) + 1);
    }

    /// @dev Returns a small amount or, rarely, one that approaches the largest supply.
    function _bridgeableAmount(uint256 seed) private pure returns (uint256) {
        return seed % 16 == 0 ? bound(seed, 0, type(uint240).max) : bound(seed, 0, 1e24);
    }
}
