// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapFixture} from "../helpers/CoreSwapFixture.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Treasury} from "src/Treasury.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasury} from "src/interfaces/ITreasury.sol";

/// Lists refuse exactly the accounts that are on them, whatever changes came before. The first accounts here share one
/// bit of the treasury token's filter, because their addresses differ by multiples of its width; the last has another
/// bit.
contract ListsTest is CoreSwapFixture {
    uint256 private constant COUNT = 4;
    uint256 private constant STEPS = 12;
    /// Number of bits in the treasury token's filter.
    uint160 private constant STRIDE = 248;

    address[COUNT] private accounts;
    Treasury private treasury;

    mapping(address => bool) private isListedByCore;
    mapping(address => bool) private isListedByDelegate;
    mapping(address => bool) private isListedByTreasury;

    function setUp() public override {
        super.setUp();
        bytes memory init = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", address(this)));
        treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), init)));
        treasury.grantRole(treasury.BLACKLISTER_ROLE(), address(this));
        treasury.grantRole(treasury.MINTER_ROLE(), address(this));
        treasury.grantRole(treasury.WHITELISTER_ROLE(), address(this));
        treasury.addToWhitelist(user);
        treasury.mint(user, 1e18);
        for (uint160 i = 0; i < COUNT; ++i) {
            address account = address(uint160(makeAddr("first")) + i * STRIDE + (i == COUNT - 1 ? 1 : 0));
            accounts[i] = account;
            bill.token.mint(account, 1_000e18);
            vm.prank(account);
            bill.token.approve(address(usdc.delegate), type(uint256).max);
            _listCustody(address(usdc.delegate), account);
            vm.prank(account);
            usdc.delegate.acceptCustody();
            vm.startPrank(user);
            core.adjustSwapInputAllowance(account, bill.id, type(uint256).max, true);
            treasury.approve(account, type(uint256).max);
            vm.stopPrank();
        }
    }

    function testFuzz_S18_CoreSwapRefusesListedAccountsAlone(uint256 seed) public {
        for (uint256 step = 0; step < STEPS; ++step) {
            (address account, bool isListed) = _draw(seed, step);
            isListedByCore[account] = isListed;
            vm.prank(blacklister);
            core.setBlacklisted(account, isListed);
        }
        for (uint256 i = 0; i < COUNT; ++i) {
            address account = accounts[i];
            bytes memory expectedError;
            if (isListedByCore[account]) {
                expectedError = abi.encodeWithSelector(ICoreSwap.UserBlacklisted.selector, account);
            }
            _swapExpecting(account, account, receiver, expectedError);
            _swapExpecting(user, user, account, expectedError);
            _swapExpecting(account, user, receiver, expectedError);
        }
    }

    /// Custody also moves among the accounts: a former custody account is a party like any other.
    function testFuzz_DelegatesRefuseListedAccountsAndCustodiesAlone(uint256 seed) public {
        for (uint256 step = 0; step < STEPS; ++step) {
            (address account, bool isListed) = _draw(seed, step);
            isListedByDelegate[account] = isListed;
            vm.startPrank(usdc.issuerAdmin);
            usdc.delegate.setBlacklist(account, isListed);
            usdc.delegate.setRWACustodyAddress(account);
            vm.stopPrank();
        }
        address custody = usdc.delegate.balanceSheetCustodyAddress();
        for (uint256 i = 0; i < COUNT; ++i) {
            address account = accounts[i];
            bytes memory expectedError;
            if (account == custody) {
                expectedError = abi.encodeWithSelector(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
            } else if (isListedByDelegate[account]) {
                expectedError = abi.encodeWithSelector(IStablecoinDelegateAdmin.AddressBlacklisted.selector, account);
            }
            _swapExpecting(account, account, receiver, expectedError);
            _swapExpecting(user, user, account, expectedError);
        }
    }

    function testFuzz_T6_TreasuryRefusesListedSpendersAlone(uint256 seed) public {
        for (uint256 step = 0; step < STEPS; ++step) {
            (address account, bool isListed) = _draw(seed, step);
            if (isListed) treasury.addToBlacklist(account);
            else if (isListedByTreasury[account]) treasury.removeFromBlacklist(account);
            isListedByTreasury[account] = isListed;
        }
        for (uint256 i = 0; i < COUNT; ++i) {
            if (isListedByTreasury[accounts[i]]) {
                vm.expectRevert(abi.encodeWithSelector(ITreasury.AccountBlacklisted.selector, accounts[i]));
            }
            vm.prank(accounts[i]);
            treasury.transferFrom(user, receiver, 1);
        }
    }

    function _draw(uint256 seed, uint256 step) private view returns (address account, bool isListed) {
        uint256 word = uint256(keccak256(abi.encode(seed, step)));
        return (accounts[word % COUNT], word >> 255 == 1);
    }

    function _swapExpecting(address caller, address from, address to, bytes memory expectedError) private {
        if (expectedError.length != 0) vm.expectRevert(expectedError);
        vm.prank(caller);
        core.swap(from, to, _one(_leg(1, 1e18, false)), _noPermit());
    }
}
