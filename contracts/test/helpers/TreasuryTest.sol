// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Effects} from "./Effects.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Treasury} from "src/Treasury.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// @notice A treasury token behind its proxy, with one account per role and three holders. A test states all observable
/// effects of a call: it copies the state before, changes the copy as the call should, and compares.
abstract contract TreasuryTest is Effects {
    struct State {
        uint256 supply;
        bool paused;
        uint256[] balances;
        uint256[] nonces;
        bool[] whitelisted;
        bool[] blacklisted;
        uint256[] allowances;
        address[][] roleMembers;
    }

    uint256 internal constant MAX_SUPPLY = type(uint240).max;

    Treasury internal treasury;

    address internal immutable ADMIN = makeAddr("admin");
    address internal immutable OPERATOR = makeAddr("operator");
    address internal immutable MINTER = makeAddr("minter");
    address internal immutable BRIDGE = makeAddr("bridge");
    address internal immutable PAUSER = makeAddr("pauser");
    address internal immutable WHITELISTER = makeAddr("whitelister");
    address internal immutable BLACKLISTER = makeAddr("blacklister");
    address internal immutable SPENDER = makeAddr("spender");
    address internal immutable BOB = makeAddr("bob");
    address internal immutable ALICE;
    uint256 internal immutable ALICE_KEY;

    bytes32[] internal roles;
    address[] internal actors;

    // Positions in `actors`.
    uint256 internal constant ALICE_INDEX = 0;
    uint256 internal constant BOB_INDEX = 1;
    uint256 internal constant SPENDER_INDEX = 2;
    uint256 internal constant BRIDGE_INDEX = 3;

    // Positions in `roles`.
    uint256 internal constant MINTER_ROLE_INDEX = 2;
    uint256 internal constant BRIDGE_ROLE_INDEX = 3;

    constructor() {
        (ALICE, ALICE_KEY) = makeAddrAndKey("alice");
    }

    function setUp() public virtual {
        treasury = _deploy(ADMIN);
        roles = [
            treasury.DEFAULT_ADMIN_ROLE(),
            treasury.OPERATOR_ROLE(),
            treasury.MINTER_ROLE(),
            treasury.BRIDGE_ROLE(),
            treasury.PAUSER_ROLE(),
            treasury.WHITELISTER_ROLE(),
            treasury.BLACKLISTER_ROLE()
        ];
        actors = [ALICE, BOB, SPENDER, BRIDGE];

        vm.startPrank(ADMIN);
        treasury.grantRole(roles[1], OPERATOR);
        treasury.grantRole(roles[MINTER_ROLE_INDEX], MINTER);
        treasury.addBridge(BRIDGE);
        treasury.grantRole(roles[4], PAUSER);
        treasury.grantRole(roles[5], WHITELISTER);
        treasury.grantRole(roles[6], BLACKLISTER);
        treasury.renounceRole(roles[1], ADMIN);
        vm.stopPrank();

        _whitelist(ALICE);
        _mint(ALICE, 1000e18);
        _bridgeMint(BOB, 500e18);
    }

    function _deploy(address admin) internal returns (Treasury) {
        bytes memory initialization = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", admin));
        return Treasury(address(new ERC1967Proxy(address(new Treasury()), initialization)));
    }

    // ------------------------------------------------------------------------------------------------- preparation

    function _whitelist(address account) internal {
        vm.prank(WHITELISTER);
        treasury.addToWhitelist(account);
    }

    function _blacklist(address account) internal {
        vm.prank(BLACKLISTER);
        treasury.addToBlacklist(account);
    }

    function _pause() internal {
        vm.prank(PAUSER);
        treasury.pause();
    }

    function _mint(address to, uint256 amount) internal {
        vm.prank(MINTER);
        treasury.mint(to, amount);
    }

    function _bridgeMint(address to, uint256 amount) internal {
        vm.prank(BRIDGE);
        treasury.bridgeMint(to, amount);
    }

    function _approve(address owner, address spender, uint256 value) internal {
        vm.prank(owner);
        treasury.approve(spender, value);
    }

    // ------------------------------------------------------------------------------------------------- observation

    /// @dev Returns everything that the views show about the actors.
    function _state() internal view returns (State memory state) {
        uint256 count = actors.length;
        state.supply = treasury.totalSupply();
        state.paused = treasury.paused();
        state.balances = new uint256[](count);
        state.nonces = new uint256[](count);
        state.whitelisted = new bool[](count);
        state.blacklisted = new bool[](count);
        state.allowances = new uint256[](count * count);
        for (uint256 i; i < count; ++i) {
            state.balances[i] = treasury.balanceOf(actors[i]);
            state.nonces[i] = treasury.nonces(actors[i]);
            state.whitelisted[i] = treasury.whitelisted(actors[i]);
            state.blacklisted[i] = treasury.blacklisted(actors[i]);
            for (uint256 j; j < count; ++j) {
                state.allowances[i * count + j] = treasury.allowance(actors[i], actors[j]);
            }
        }
        state.roleMembers = new address[][](roles.length);
        for (uint256 i; i < roles.length; ++i) {
            state.roleMembers[i] = treasury.getRoleMembers(roles[i]);
        }
    }

    function _allowanceIndex(uint256 owner, uint256 spender) internal view returns (uint256) {
        return owner * actors.length + spender;
    }

    function _assertState(State memory expected) internal view {
        State memory actual = _state();
        assertEq(actual.supply, expected.supply, "supply");
        assertEq(actual.paused, expected.paused, "paused");
        assertEq(actual.balances, expected.balances, "balances");
        assertEq(actual.nonces, expected.nonces, "nonces");
        assertEq(abi.encode(actual.whitelisted), abi.encode(expected.whitelisted), "whitelist");
        assertEq(abi.encode(actual.blacklisted), abi.encode(expected.blacklisted), "blacklist");
        assertEq(actual.allowances, expected.allowances, "allowances");
        for (uint256 i; i < roles.length; ++i) {
            assertEq(actual.roleMembers[i], expected.roleMembers[i], "role members");
        }
    }

    /// @dev Calls the token as `caller`. Requires success if `expectedError` is empty, else exactly that error and no
    /// change.
    function _callAndAssertOutcome(address caller, bytes memory data, bytes memory expectedError) internal {
        State memory before = _state();
        vm.prank(caller);
        (bool success, bytes memory returned) = address(treasury).call(data);
        if (expectedError.length == 0) {
            assertTrue(success, "expected success");
        } else {
            assertFalse(success, "expected a revert");
            assertEq(returned, expectedError, "error");
            _assertState(before);
        }
    }

    /// @dev Watches every view of the token, for the actors, roles and flags of the fixture.
    function _watchTreasury() internal {
        _watch(address(treasury), abi.encodeCall(IERC20.totalSupply, ()));
        _watch(address(treasury), abi.encodeCall(treasury.paused, ()));
        _watch(address(treasury), abi.encodeCall(treasury.name, ()));
        _watch(address(treasury), abi.encodeCall(treasury.symbol, ()));
        _watch(address(treasury), abi.encodeCall(treasury.DOMAIN_SEPARATOR, ()));
        for (uint256 i; i < actors.length; ++i) {
            _watch(address(treasury), abi.encodeCall(IERC20.balanceOf, (actors[i])));
            _watch(address(treasury), abi.encodeCall(treasury.nonces, (actors[i])));
            _watch(address(treasury), abi.encodeCall(ITreasury.whitelisted, (actors[i])));
            _watch(address(treasury), abi.encodeCall(ITreasury.blacklisted, (actors[i])));
            for (uint256 j; j < actors.length; ++j) {
                _watch(address(treasury), abi.encodeCall(IERC20.allowance, (actors[i], actors[j])));
            }
        }
        for (uint256 i; i < roles.length; ++i) {
            _watch(address(treasury), abi.encodeCall(treasury.getRoleMembers, (roles[i])));
            _watch(address(treasury), abi.encodeCall(treasury.getRoleAdmin, (roles[i])));
        }
    }

    function _expectBalance(address account, uint256 balance) internal {
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.balanceOf, (account)), balance);
    }

    /// @dev Asserts that the call reverts for a caller without the role, and that the error names the role.
    function _assertOnlyRole(bytes32 role, address caller, bytes memory data) internal {
        vm.assume(!treasury.hasRole(role, caller));
        _assertRevert(caller, address(treasury), data, _unauthorized(caller, role));
    }

    function _insufficientBalance(address account, uint256 balance, uint256 amount)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, account, balance, amount);
    }

    function _unauthorized(address account, bytes32 role) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
