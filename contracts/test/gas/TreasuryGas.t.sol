// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../helpers/BaseTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Treasury} from "src/Treasury.sol";

/// @notice Measures the gas of the calls that holders pay for, each in its own transaction through the proxy. The
/// limits keep the token at or below the most used stablecoins. The snapshots show every change.
/// forge-config: default.isolate = true
contract TreasuryGasTest is BaseTest {
    string private constant GROUP = "Treasury";
    Treasury private treasury;
    address private immutable MINTER = makeAddr("minter");
    address private immutable ALICE;
    uint256 private immutable ALICE_KEY;
    address private immutable BOB = makeAddr("bob");
    address private immutable SPENDER = makeAddr("spender");

    constructor() {
        (ALICE, ALICE_KEY) = makeAddrAndKey("alice");
    }

    function setUp() public {
        bytes memory init = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", address(this)));
        treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), init)));
        treasury.grantRole(treasury.MINTER_ROLE(), MINTER);
        treasury.grantRole(treasury.WHITELISTER_ROLE(), address(this));
        treasury.addToWhitelist(ALICE);
        treasury.addToWhitelist(BOB);
        vm.startPrank(MINTER);
        treasury.mint(ALICE, 1000e18);
        treasury.mint(BOB, 1000e18);
        vm.stopPrank();
    }

    function test_Gas_TransferBetweenHolders() public {
        vm.prank(ALICE);
        assertTrue(treasury.transfer(BOB, 1.5e18));
        _assertGas("transfer between holders", 43_000);
    }

    function test_Gas_TransferFromFiniteAllowance_SpenderReceives() public {
        vm.prank(ALICE);
        treasury.approve(BOB, 10e18);
        vm.prank(BOB);
        assertTrue(treasury.transferFrom(ALICE, BOB, 1.5e18));
        _assertGas("transferFrom to the spender, finite allowance", 49_000);
    }

    function test_Gas_TransferFromFiniteAllowance_ThirdPartyReceives() public {
        vm.prank(ALICE);
        treasury.approve(SPENDER, 10e18);
        vm.prank(SPENDER);
        assertTrue(treasury.transferFrom(ALICE, BOB, 1.5e18));
        _assertGas("transferFrom to a third party, finite allowance", 49_000);
    }

    /// @dev A blacklisted account shares its filter bit with the spender, so the spender's own flag has to be read.
    function test_Gas_TransferFromFiniteAllowance_SpenderSharesAFilterBit() public {
        treasury.grantRole(treasury.BLACKLISTER_ROLE(), address(this));
        treasury.addToBlacklist(address(uint160(SPENDER) + 248));
        vm.prank(ALICE);
        treasury.approve(SPENDER, 10e18);
        vm.prank(SPENDER);
        assertTrue(treasury.transferFrom(ALICE, BOB, 1.5e18));
        vm.snapshotGasLastCall(GROUP, "transferFrom to a third party, finite allowance, spender shares a filter bit");
    }

    function test_Gas_TransferFromUnlimitedAllowance_SpenderReceives() public {
        vm.prank(ALICE);
        treasury.approve(BOB, type(uint256).max);
        vm.prank(BOB);
        assertTrue(treasury.transferFrom(ALICE, BOB, 1.5e18));
        vm.snapshotGasLastCall(GROUP, "transferFrom to the spender, unlimited allowance");
    }

    function test_Gas_FirstPermit() public {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                ALICE,
                SPENDER,
                uint256(1.5e18),
                uint256(0),
                block.timestamp + 1 days
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", treasury.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, digest);
        vm.prank(SPENDER);
        treasury.permit(ALICE, SPENDER, 1.5e18, block.timestamp + 1 days, v, r, s);
        _assertGas("first permit of an owner", 80_500);
    }

    function test_Gas_MintToHolder() public {
        vm.prank(MINTER);
        treasury.mint(ALICE, 1.5e18);
        _assertGas("mint to a holder", 45_000);
    }

    function _assertGas(string memory what, uint256 bar) private {
        assertLe(vm.snapshotGasLastCall(GROUP, what), bar, what);
    }
}
